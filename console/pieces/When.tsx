import { Text, Tooltip } from '@mantine/core';
import {
  inDateAndRelation,
  inExactMoment,
  inMoment,
  inRelation,
  inRelationAlone,
  inSecond,
} from './in-words.ts';
import { useExactTimes } from './use-exact-times.ts';
import { useNow } from './use-now.ts';

type WhenProps = {
  readonly at: string | null | undefined;
  /** Shown where there is no moment. */
  readonly never?: string;
  /** "5 minutes ago", "In 3 days" or "Now" rather than the date. */
  readonly isRelative?: boolean;
  /** The same after other words: "in 3 days" or "now". */
  readonly isInSentence?: boolean;
  /** With the date before it, for deadlines and money: "24 Nov, in 2 days". */
  readonly isDated?: boolean;
};

/**
 * A moment. Pointing at it shows it to the second and with its zone; the key T does so for all moments,
 * since each of a table of them would be one more stop of the Tab key.
 */
export function When(props: WhenProps) {
  const { at, never = '–', isDated = false } = props;
  const nowMs = useNow();
  const { isExact } = useExactTimes();
  if (at === null || at === undefined)
    return (
      <Text inherit span c="dimmed">
        {never}
      </Text>
    );
  return (
    <Tooltip label={inExactMoment(at)} events={{ hover: true, focus: false, touch: true }}>
      <Text
        inherit
        span
        component="time"
        dateTime={at}
        style={{ whiteSpace: isDated ? 'normal' : 'nowrap' }}
      >
        {isExact ? inSecond(at) : inWords(at, nowMs, props)}
      </Text>
    </Tooltip>
  );
}

function inWords(at: string, nowMs: number, { isRelative, isInSentence, isDated }: WhenProps) {
  if (isDated) return inDateAndRelation(at, nowMs);
  if (isInSentence) return inRelation(at, nowMs);
  return isRelative ? inRelationAlone(at, nowMs) : inMoment(at);
}
