import type { Connection } from '../../pieces/live-feed/follow-live.ts';
import { State, type Tone } from '../../pieces/State.tsx';

type ConnectionStateProps = {
  readonly connection: Connection;
  readonly isPaused: boolean;
  /** Whether the list does not move because the viewer is at it. */
  readonly isStill: boolean;
};

const STATES: Record<Connection['state'], { label: string; tone: Tone }> = {
  connecting: { label: 'Connecting…', tone: 'waiting' },
  live: { label: 'Live', tone: 'good' },
  reconnecting: { label: 'Reconnecting…', tone: 'waiting' },
  waiting: { label: 'Waiting for ingest', tone: 'waiting' },
  refused: { label: 'Not connected', tone: 'bad' },
};

/** Announced to screen readers when it changes. */
export function ConnectionState({ connection, isPaused, isStill }: ConnectionStateProps) {
  const { label, tone } = STATES[connection.state];
  return (
    <span role="status" aria-live="polite">
      {(isPaused || isStill) && connection.state === 'live' ? (
        <State
          name="PAUSED"
          tone="info"
          label={isPaused ? 'Paused' : 'Paused while you read the list'}
        />
      ) : (
        <State name={connection.state} label={label} tone={tone} />
      )}
    </span>
  );
}
