import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { inCount } from '../../pieces/in-words.ts';

type PauseButtonProps = {
  readonly isPaused: boolean;
  /** Whether the list does not move because the viewer is at it. */
  readonly isStill: boolean;
  readonly heldCount: number;
  readonly onChange: (isPaused: boolean) => void;
};

export function PauseButton({ isPaused, isStill, heldCount, onChange }: PauseButtonProps) {
  if (!isPaused)
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={17} />}
        onClick={() => onChange(true)}
      >
        {isStill ? 'Keep paused' : 'Pause'}
      </Button>
    );
  return (
    <Button leftSection={<IconPlayerPlay size={17} />} onClick={() => onChange(false)}>
      {heldCount === 0 ? 'Resume' : `Resume, ${inCount(heldCount)} new`}
    </Button>
  );
}
