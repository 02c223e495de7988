import { z } from 'zod';
import { correctionContract } from './correct-event.ts';
import type { Replay } from './replay-rejected.ts';

/** The events to replay, and their correction. */
export type ReplayRequest = z.output<typeof replayContract>;

/** Limits a job to a few minutes. To replay more, request another replay from where this
 * one ended. */
export const REPLAY_EVENTS_MAX = 100_000;
export const REPLAY_EVENTS_DEFAULT = 10_000;
/** More than the number of error codes of events. */
const CODES_MAX = 20;

/** A Date, or its ISO 8601 text in the JSON of the job. */
const moment = z.union([
  z.date(),
  z.iso.datetime({ offset: true }).transform(text => new Date(text)),
]);

export const replayContract = z.strictObject({
  codes: z
    .array(
      z.string().regex(/^[A-Z][A-Z_]{0,63}$/, 'must be an error code, such as INVALID_TIMESTAMP.'),
    )
    .min(1)
    .max(CODES_MAX),
  /** The key of a `RejectedEventGroup`. Defaults to all groups. */
  group: z
    .string()
    .regex(/^[0-9A-F]{32}$/, 'must be the `key` of a group of rejected events.')
    .nullish(),
  /** The hash of one event. Defaults to all events. */
  hash: z
    .string()
    .regex(/^[0-9]{1,39}$/, 'must be the `hash` of a rejected event.')
    .nullish(),
  /** Inclusive; compared with the time at which events were received. */
  since: moment,
  /** Exclusive. Defaults to now. */
  until: moment.optional(),
  limit: z.int().min(1).max(REPLAY_EVENTS_MAX).default(REPLAY_EVENTS_DEFAULT),
  correction: correctionContract.default({ rename: {}, drop: [], set: {}, fill: {} }),
});

/** A request by a viewer, either a dry run or a replay. */
export const rejectedEventsReplayContract = replayContract.extend({
  dryRun: z.boolean().default(false),
});
export type RejectedEventsReplayRequest = z.output<typeof rejectedEventsReplayContract>;

/** Far below the capacity of ingest, so that a replay does not delay other events. */
const EVENTS_PER_SECOND = 1_000;

export function replayOf(
  workspace: Pick<Replay, 'organizationId' | 'workspaceId'>,
  { since, until, ...rest }: ReplayRequest,
  { nowMs, isDryRun }: { readonly nowMs: number; readonly isDryRun: boolean },
): Replay {
  return {
    ...workspace,
    ...rest,
    sinceMs: since.getTime(),
    untilMs: until?.getTime() ?? nowMs,
    isDryRun,
    eventsPerSecond: EVENTS_PER_SECOND,
  };
}
