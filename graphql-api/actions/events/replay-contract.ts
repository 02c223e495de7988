import { z } from 'zod';
import { correctionContract } from './correct-event.ts';
import type { Replay } from './replay-rejected.ts';

/** What is replayed, and how it is corrected. */
export type ReplayRequest = z.output<typeof replayContract>;

/** A job of a few minutes; who has more to replay asks again from where it ended. */
const EVENTS_MAX = 100_000;
const EVENTS_DEFAULT = 10_000;

export const replayContract = z.strictObject({
  code: z.string().regex(/^[A-Z][A-Z_]{0,63}$/, 'must be a code like INVALID_TIMESTAMP'),
  /** By when the events arrived. */
  since: z.iso.datetime({ offset: true }),
  /** Exclusive; now where it is left out. */
  until: z.iso.datetime({ offset: true }).optional(),
  limit: z.int().min(1).max(EVENTS_MAX).default(EVENTS_DEFAULT),
  correction: correctionContract.default({ rename: {}, drop: [], set: {}, fill: {} }),
});

/** Far below what ingest takes, so that nobody's own events wait for a replay. */
export const REPLAY_EVENTS_PER_SECOND = 1_000;

export function replayOf(
  workspace: Pick<Replay, 'organizationId' | 'workspaceId'>,
  { code, since, until, limit, correction }: ReplayRequest,
  { nowMs, isDryRun }: { readonly nowMs: number; readonly isDryRun: boolean },
): Replay {
  return {
    organizationId: workspace.organizationId,
    workspaceId: workspace.workspaceId,
    code,
    sinceMs: Date.parse(since),
    untilMs: until === undefined ? nowMs : Date.parse(until),
    limit,
    correction,
    isDryRun,
    eventsPerSecond: REPLAY_EVENTS_PER_SECOND,
  };
}
