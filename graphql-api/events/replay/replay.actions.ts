import { HOUR_MS } from '../../../schema/values/durations.ts';
import type { Context } from '../../platform/context.ts';
import { kysely } from '../../platform/database/kysely.ts';
import { requestJob } from '../../platform/jobs/request-job.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import { workspaceOf } from '../../platform/permit.ts';
import { reject } from '../../platform/rejected.ts';
import type { ActionScope } from '../../platform/run-action.ts';
import { createIngestClient, IngestAway } from '../../platform/warehouse/ingest-client.ts';
import {
  type RejectedEventsReplayRequest,
  type ReplayRequest,
  replayOf,
} from './replay.contract.ts';
import { RejectedEventsReplay } from './replay.entity.ts';
import { replayRejectedEvents } from './replay.job.ts';
import { type ReplayReport, replayRejected } from './replay-rejected.ts';

/** One replay runs at a time across all workspaces, so no workspace may fill the queue. */
const UNFINISHED_MAX = 5;
/** An older unfinished replay has failed, or waits for replays of other workspaces. It does not
 * count. */
const UNFINISHED_HOURS = 1;

/** About half a second of work, because a user waits for the result. */
export const TRIED_MAX = 1_000;
/** One query per hundred events, and one for the count. */
export const TRY_QUESTIONS = TRIED_MAX / 100 + 1;
const TIMEOUT_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;
/** Higher than for a replay, because ingest stores nothing in a dry run. */
const EVENTS_PER_SECOND = 20_000;

type RequestedReplay = {
  readonly id?: string;
  /** The request to try after the transaction. Nothing is stored for it. */
  readonly dryRun?: ReplayRequest;
};

/** Requests a replay, or a dry run of it. */
export async function rejectedEventsReplay(
  scope: ActionScope,
  { dryRun: isDryRun, ...request }: RejectedEventsReplayRequest,
): Promise<RequestedReplay> {
  const { since, until } = request;
  if (until !== undefined && until <= since)
    return reject('INVALID_RANGE', { field: ['until'], message: '`until` must be after `since`.' });
  return isDryRun ? { dryRun: request } : requestReplay(scope, request);
}

/** Requests a job, with the same ID, that replays the viewer's rejected events. The audit log
 * records the request and the result. */
async function requestReplay(
  scope: ActionScope,
  request: ReplayRequest,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  const { organizationId, userId } = viewer;
  await requireRoom(scope, workspaceId);
  const id = deps.newId();
  const createdAt = new Date(deps.clock.nowMs());
  await em.insert(RejectedEventsReplay, { id, workspaceId, actorId: userId, request, createdAt });
  const data = { replayId: id, organizationId, workspaceId, userId, request };
  await requestJob(scope, replayRejectedEvents, data, id);
  await audit({
    action: 'rejected_events.replay',
    subjectType: 'rejected_events_replay',
    subjectId: id,
    after: request,
  });
  return { id };
}

async function requireRoom(scope: ActionScope, workspaceId: string): Promise<void> {
  const since = new Date(scope.deps.clock.nowMs() - UNFINISHED_HOURS * HOUR_MS);
  await oneAtATime(scope, `replays of ${workspaceId}`);
  const unfinished = await kysely(scope.em)
    .selectFrom('rejected_events_replays')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('finishedAt', 'is', null)
    .where('createdAt', '>', since)
    .limit(UNFINISHED_MAX)
    .execute();
  if (unfinished.length === UNFINISHED_MAX) reject('TOO_MANY_REPLAYS');
}

/**
 * Returns the expected results of a replay. `found` counts all events that the replay would cover;
 * the other counts cover only the first TRIED_MAX. No transaction is open, because this calls
 * ingest and ClickHouse.
 */
export async function tryReplay(context: Context, request: ReplayRequest): Promise<ReplayReport> {
  const { deps, viewer } = context;
  const workspaceId = workspaceOf(viewer);
  const { clock, config, log, warehouses } = deps;
  if (config.ingest === undefined) return away();
  const workspace = { organizationId: viewer!.organizationId, workspaceId };
  const replay = replayOf(workspace, request, { nowMs: clock.nowMs(), isDryRun: true });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const tools = { warehouses, ingest: createIngestClient(config.ingest), signal };
  const pace = { triedMax: TRIED_MAX, eventsPerSecond: EVENTS_PER_SECOND };
  try {
    return await replayRejected(tools, { ...replay, ...pace });
  } catch (error) {
    if (!(error instanceof IngestAway || signal.aborted)) throw error;
    log.warn({ reason: (error as Error).message }, 'replay dry run failed');
    return away();
  }
}

function away(): never {
  return reject('UNAVAILABLE', { facts: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
