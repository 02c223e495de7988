import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useCopy } from './use-copy.ts';

type CopyActionProps = Pick<ActionIconProps, 'variant' | 'color'> & {
  readonly text: string;
  /** What is copied, for screen readers. */
  readonly label: string;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onFocus?: (() => void) | undefined;
};

/** A copy button that is only an icon. Its tooltip says that the text was copied, also after a touch. */
export function CopyAction({ text, label, ...button }: CopyActionProps) {
  const { isCopied, copy } = useCopy();
  return (
    <Tooltip label={isCopied ? 'Copied' : 'Copy'} {...(isCopied && { opened: true })}>
      <ActionIcon
        {...button}
        onClick={() => copy(text)}
        aria-label={isCopied ? `Copied: ${label}` : `Copy ${label}`}
      >
        {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
