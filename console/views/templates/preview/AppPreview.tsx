import {
  IconCopy,
  IconCornerUpLeft,
  IconExternalLink,
  IconFile,
  IconPhone,
  IconPhoto,
  IconVideo,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Preview, TemplateButton } from '../version-query.ts';
import { buttonTarget } from './button-target.ts';
import { MarkedText } from './MarkedText.tsx';
import classes from './preview.module.css';

/** The app folds marketing messages after this number of lines. */
const LINES_SHOWN = 5;

type AppPreviewProps = { readonly preview: Preview; readonly isFolding: boolean };

export function AppPreview({ preview, isFolding }: AppPreviewProps) {
  const { header, body, footer, buttons } = preview;
  const lines = body.split('\n');
  const isFolded = isFolding && lines.length > LINES_SHOWN;
  return (
    <figure className={classes.phone} aria-label="Messaging app preview">
      <div className={classes.chat}>
        <div className={classes.bubble}>
          {header?.text && <div className={classes.title}>{header.text}</div>}
          {header && header.text === null && <Media type={header.type} />}
          <MarkedText text={isFolded ? lines.slice(0, LINES_SHOWN).join('\n') : body} />
          {isFolded && (
            <>
              <div className={classes.fold}>Read more: the rest is collapsed</div>
              <MarkedText text={lines.slice(LINES_SHOWN).join('\n')} />
            </>
          )}
          {footer && <div className={classes.footer}>{footer}</div>}
          <div className={classes.time} aria-hidden>
            10:30
          </div>
        </div>
        {buttons.map((button, at) => (
          <Button key={at} button={button} />
        ))}
      </div>
    </figure>
  );
}

const MEDIA = { IMAGE: IconPhoto, VIDEO: IconVideo, DOCUMENT: IconFile, TEXT: IconFile } as const;
const MEDIA_NAMES = { IMAGE: 'Image', VIDEO: 'Video', DOCUMENT: 'Document', TEXT: '' } as const;

/** No media are fetched from other hosts: a placeholder is shown. */
function Media({ type }: { readonly type: keyof typeof MEDIA }) {
  const Icon = MEDIA[type];
  return (
    <div className={classes.media}>
      <Icon size={30} stroke={1.4} aria-hidden />
      {MEDIA_NAMES[type]}
    </div>
  );
}

const SIGNS: Readonly<Record<TemplateButton['type'], ComponentType<{ size?: number }>>> = {
  URL: IconExternalLink,
  PHONE: IconPhone,
  QUICK_REPLY: IconCornerUpLeft,
  COPY_CODE: IconCopy,
  OTP: IconCopy,
};

function Button({ button }: { readonly button: TemplateButton }) {
  const Icon = SIGNS[button.type];
  return (
    <div className={classes.button} title={buttonTarget(button)}>
      <Icon size={16} />
      {button.text}
    </div>
  );
}
