import type { CampaignType } from '../../pieces/campaign-types.ts';
import { NAMES } from '../../pieces/in-app-content/content-fields.ts';
import classes from './mock.module.css';

type MockProps = { readonly type: CampaignType; readonly content: unknown };

const PLACES: Readonly<Record<CampaignType, string | undefined>> = {
  BANNER: classes.top,
  MODAL: classes.middle,
  FULLSCREEN: classes.whole,
  SLIDE_UP: classes.bottom,
  TOOLTIP: classes.top,
  NPS: classes.bottom,
  POLL: classes.bottom,
  QUIZ: classes.middle,
  RATING: classes.bottom,
  FORM: classes.middle,
  COUNTDOWN: classes.top,
};
const LINES = [70, 100, 92, 40, 100, 85, 96, 60, 100, 78];
const SCORES: Partial<Record<CampaignType, readonly (string | number)[]>> = {
  NPS: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  RATING: ['★', '★', '★', '★', '★'],
};

/** Roughly how it sits on a phone. The actual appearance depends on the app. */
export function Mock({ type, content }: MockProps) {
  const { title, text, button } = wordsOf(content);
  return (
    <div className={classes.phone} role="img" aria-label={`Sketch: ${title ?? 'no title'}`}>
      {LINES.map((width, at) => (
        <div key={at} className={classes.line} style={{ width: `${width}%` }} />
      ))}
      <div className={`${classes.widget} ${PLACES[type]}`}>
        {title && <div className={classes.title}>{title}</div>}
        {text && <div className={classes.text}>{text}</div>}
        {SCORES[type] && (
          <div className={classes.scale}>
            {SCORES[type].map((score, at) => (
              <span key={at} className={classes.step}>
                {score}
              </span>
            ))}
          </div>
        )}
        {button && <div className={classes.button}>{button}</div>}
      </div>
    </div>
  );
}

type Words = { readonly title?: string; readonly text?: string; readonly button?: string };

/** The app defines the content; these are the most common names of its parts. */
function wordsOf(content: unknown): Words {
  const title = textAt(content, NAMES.title);
  const text = textAt(content, NAMES.text);
  const button = textAt(content, NAMES.action) ?? (textAt(content, NAMES.action_url) && 'Open');
  return { ...(title && { title }), ...(text && { text }), ...(button && { button }) };
}

function textAt(content: unknown, names: readonly string[]): string | undefined {
  if (content === null || typeof content !== 'object') return undefined;
  const values = names.map(name => (content as Readonly<Record<string, unknown>>)[name]);
  return values.find(value => typeof value === 'string');
}
