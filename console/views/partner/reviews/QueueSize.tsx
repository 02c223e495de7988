import { Text } from '@mantine/core';
import { inCount } from '../../../pieces/in-words.ts';
import { When } from '../../../pieces/When.tsx';

type QueueSizeProps = {
  /** Undefined until it is known. */
  readonly queue: { readonly count: number; readonly oldestAt: string | null } | undefined;
};

/** How many items wait in a queue, and since when. */
export function QueueSize({ queue }: QueueSizeProps) {
  if (queue === undefined) return null;
  const { count, oldestAt } = queue;
  return (
    <Text span inherit c="dimmed" fw={400}>
      {' '}
      {inCount(count)}
      {oldestAt !== null && (
        <>
          , oldest <When at={oldestAt} isInSentence />
        </>
      )}
    </Text>
  );
}
