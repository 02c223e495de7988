import type { Tone } from '../../../pieces/State.tsx';
import type { Replay, ReplayState } from './replay-query.ts';

export const REPLAY_STATES: Readonly<Record<ReplayState, { label: string; tone: Tone }>> = {
  WAITING: { label: 'Waiting', tone: 'waiting' },
  RUNNING: { label: 'Running', tone: 'info' },
  COMPLETED: { label: 'Completed', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
};

const PROGRESS_INTERVAL_MS = 1_000;

/** How often to query the progress; undefined if no replay is unfinished. */
export function progressMs(replays: readonly Pick<Replay, 'state'>[]): number | undefined {
  const isUnfinished = replays.some(({ state }) => state === 'WAITING' || state === 'RUNNING');
  return isUnfinished ? PROGRESS_INTERVAL_MS : undefined;
}
