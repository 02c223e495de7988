import type { Context } from '../../platform/context.ts';
import { workspaceOf } from '../../platform/permit.ts';
import { reject } from '../../platform/rejected.ts';
import { createIngestClient, IngestAway } from '../../platform/warehouse/ingest-client.ts';
import { type ReplayRequest, replayOf } from './replay.contract.ts';
import { type ReplayReport, replayRejected } from './replay-rejected.ts';

/** Somebody waits at a screen: about half a second of work. */
export const TRIED_MAX = 1_000;
/** One for each hundred, and the count. */
export const TRY_QUESTIONS = TRIED_MAX / 100 + 1;
const TIMEOUT_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;
/** Ingest stores nothing of it. */
const EVENTS_PER_SECOND = 20_000;

/**
 * What would become of the viewer's refused events. `found` counts all that a replay would take, the
 * rest what became of the first of them. No transaction is open meanwhile: it asks others.
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
    log.warn({ reason: (error as Error).message }, 'a replay could not be tried');
    return away();
  }
}

function away(): never {
  return reject('UNAVAILABLE', { facts: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
