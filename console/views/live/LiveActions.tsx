import { Text } from '@mantine/core';
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
    <>
      {isStill && heldCount > 0 && (
        <Text size="sm" c="dimmed">
          {inCount(heldCount)} new
        </Text>
      )}
      <ConnectionState connection={connection} isPaused={isPaused || isStill} />
      <PauseButton isPaused={isPaused} heldCount={heldCount} onChange={onPaused} />
    </>
  );
}
