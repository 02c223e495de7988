import type { Context } from '../../platform/context.ts';
import { workspaceOf } from '../../platform/permit.ts';
import { reject } from '../../platform/rejected.ts';
import { createIngestClient, IngestAway } from '../../platform/warehouse/ingest-client.ts';
import { type ReplayRequest, replayOf } from './replay.contract.ts';
import { type ReplayReport, replayRejected } from './replay-rejected.ts';

/** About half a second of work, because a user waits for the result. */
export const TRIED_MAX = 1_000;
/** One query per hundred events, and one for the count. */
export const TRY_QUESTIONS = TRIED_MAX / 100 + 1;
const TIMEOUT_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;
/** Higher than for a replay, because ingest stores nothing in a dry run. */
const EVENTS_PER_SECOND = 20_000;

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
