import { Text, Tooltip } from '@mantine/core';
import { inExactMoment, inMoment, inRelation } from './in-words.ts';
import { useNow } from './use-now.ts';

type WhenProps = {
  readonly at: string | null | undefined;
  /** Shown where there is no moment. */
  readonly never?: string;
  /** "5 minutes ago" rather than the date. */
  readonly isRelative?: boolean;
};

/** A moment; pointing at it shows it to the second and with its zone. */
export function When({ at, never = '–', isRelative = false }: WhenProps) {
  const nowMs = useNow();
  if (at === null || at === undefined)
    return (
      <Text inherit span c="dimmed">
        {never}
      </Text>
    );
  return (
    <Tooltip label={inExactMoment(at)} events={{ hover: true, focus: false, touch: true }}>
      <Text inherit span component="time" dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {isRelative ? inRelation(at, nowMs) : inMoment(at)}
      </Text>
    </Tooltip>
  );
}
