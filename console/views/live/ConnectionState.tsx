import type { Connection } from '../../pieces/live-feed/follow-live.ts';
import { State, type Tone } from '../../pieces/State.tsx';

type ConnectionStateProps = { readonly connection: Connection; readonly isPaused: boolean };

const STATES: Record<Connection['state'], { label: string; tone: Tone }> = {
  connecting: { label: 'Connecting…', tone: 'waiting' },
  live: { label: 'Live', tone: 'good' },
  reconnecting: { label: 'Reconnecting…', tone: 'waiting' },
  waiting: { label: 'Waiting for ingest', tone: 'waiting' },
  refused: { label: 'Not connected', tone: 'bad' },
};

/** Announced to screen readers when it changes. */
export function ConnectionState({ connection, isPaused }: ConnectionStateProps) {
  const { label, tone } = STATES[connection.state];
  return (
    <span role="status" aria-live="polite">
      {isPaused && connection.state === 'live' ? (
        <State name="PAUSED" tone="info" />
      ) : (
        <State name={connection.state} label={label} tone={tone} />
      )}
    </span>
  );
}
