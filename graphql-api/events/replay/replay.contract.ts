import { z } from 'zod';
import { correctionContract } from './correct-event.ts';
import type { Replay } from './replay-rejected.ts';

/** What is replayed, and how it is corrected. */
export type ReplayRequest = z.output<typeof replayContract>;

/** A job of a few minutes; who has more to replay asks again from where it ended. */
export const REPLAY_EVENTS_MAX = 100_000;
export const REPLAY_EVENTS_DEFAULT = 10_000;
/** More than there are codes of events. */
const CODES_MAX = 20;

/** As a program has it, or as JSON keeps it for the job. */
const moment = z.union([
  z.date(),
  z.iso.datetime({ offset: true }).transform(text => new Date(text)),
]);

export const replayContract = z.strictObject({
  codes: z
    .array(z.string().regex(/^[A-Z][A-Z_]{0,63}$/, 'must be a code like INVALID_TIMESTAMP'))
    .min(1)
    .max(CODES_MAX),
  /** By when the events arrived. */
  since: moment,
  /** Exclusive; now where it is left out. */
  until: moment.optional(),
  limit: z.int().min(1).max(REPLAY_EVENTS_MAX).default(REPLAY_EVENTS_DEFAULT),
  correction: correctionContract.default({ rename: {}, drop: [], set: {}, fill: {} }),
});

/** A viewer's: tried first, or done. */
export const rejectedEventsReplayContract = replayContract.extend({
  dryRun: z.boolean().default(false),
});
export type RejectedEventsReplayRequest = z.output<typeof rejectedEventsReplayContract>;

/** Far below what ingest takes, so that nobody's own events wait for a replay. */
const EVENTS_PER_SECOND = 1_000;

export function replayOf(
  workspace: Pick<Replay, 'organizationId' | 'workspaceId'>,
  { codes, since, until, limit, correction }: ReplayRequest,
  { nowMs, isDryRun }: { readonly nowMs: number; readonly isDryRun: boolean },
): Replay {
  return {
    organizationId: workspace.organizationId,
    workspaceId: workspace.workspaceId,
    codes,
    sinceMs: since.getTime(),
    untilMs: until === undefined ? nowMs : until.getTime(),
    limit,
    correction,
    isDryRun,
    eventsPerSecond: EVENTS_PER_SECOND,
  };
}
