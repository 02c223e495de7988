import { inDuration } from './in-words.ts';
import { State } from './State.tsx';
import { isLate } from './use-delay.ts';

/** How late reports are; undefined if that is unknown. */
export function Late({ seconds }: { readonly seconds: number | undefined }) {
  if (seconds === undefined) return <State name="unknown" tone="waiting" />;
  if (!isLate({ seconds })) return <State name="up to date" tone="good" />;
  return <State name="late" label={`${inDuration(seconds)} late`} tone="bad" />;
}
