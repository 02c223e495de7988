import { Group, Text } from '@mantine/core';
import { inCount } from '../../pieces/in-words.ts';
import { ConnectionState } from './ConnectionState.tsx';
import { PauseButton } from './PauseButton.tsx';
import type { useLive } from './use-live.ts';

type LiveActionsProps = {
  readonly live: Pick<ReturnType<typeof useLive>, 'connection' | 'heldCount'>;
  readonly isPaused: boolean;
  /** Whether the list does not move because the viewer is at it. */
  readonly isStill: boolean;
  readonly onPaused: (isPaused: boolean) => void;
};

export function LiveActions({ live, isPaused, isStill, onPaused }: LiveActionsProps) {
  const { connection, heldCount } = live;
  return (
    // Below a wide screen in a row of their own, so that longer words do not move the list.
    <Group gap="xs" miw={{ base: '60vw', lg: 0 }}>
      {isStill && heldCount > 0 && (
        <Text size="sm" c="dimmed">
          {inCount(heldCount)} new
        </Text>
      )}
      <ConnectionState connection={connection} isPaused={isPaused} isStill={isStill} />
      <PauseButton
        isPaused={isPaused}
        isStill={isStill}
        heldCount={heldCount}
        onChange={onPaused}
      />
    </Group>
  );
}
