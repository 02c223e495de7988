import { Text, Tooltip } from '@mantine/core';
import { inDateAndRelation, inExactMoment, inMoment, inRelation, inSecond } from './in-words.ts';
import { useExactTimes } from './use-exact-times.ts';
import { useNow } from './use-now.ts';

type WhenProps = {
  readonly at: string | null | undefined;
  /** Shown where there is no moment. */
  readonly never?: string;
  /** "5 minutes ago" rather than the date. */
  readonly isRelative?: boolean;
  /** With the date before it, for deadlines and money: "24 Nov, in 2 days". */
  readonly isDated?: boolean;
};

/**
 * A moment. Pointing at it shows it to the second and with its zone; the key T does so for all moments,
 * since each of a table of them would be one more stop of the Tab key.
 */
export function When({ at, never = '–', isRelative = false, isDated = false }: WhenProps) {
  const nowMs = useNow();
  const { isExact } = useExactTimes();
  if (at === null || at === undefined)
    return (
      <Text inherit span c="dimmed">
        {never}
      </Text>
    );
  const words = isDated ? inDateAndRelation : isRelative ? inRelation : inMoment;
  return (
    <Tooltip label={inExactMoment(at)} events={{ hover: true, focus: false, touch: true }}>
      <Text
        inherit
        span
        component="time"
        dateTime={at}
        style={{ whiteSpace: isDated ? 'normal' : 'nowrap' }}
      >
        {isExact ? inSecond(at) : words(at, nowMs)}
      </Text>
    </Tooltip>
  );
}
