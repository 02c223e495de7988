// Sends rows from the outbox to ingest. Rows are locked, posted, and deleted when ingest has them on
// disk, in one transaction, so that processes take different rows and the rows of a process that died
// are sent by another one. Rows that are posted twice are deduplicated by the warehouse.

import type { EntityManager } from '@mikro-orm/postgresql';
import { ROW_BYTES_MAX, ROWS_MAX } from '../../../schema/rows/control-plane-rows.ts';
import type { AppDeps } from '../context.ts';
import { kysely, type RowOf, sql } from '../database/kysely.ts';
import { type Repeated, repeat } from '../jobs/repeat.ts';
import { withRequestId } from '../observe/request-id.ts';
import { createIngestClient, type IngestAnswer, type IngestClient } from './ingest-client.ts';

type Outbox = {
  /** Waits for the current request. Other rows are left for another process. */
  stop(): Promise<void>;
};

/** A check is one index lookup. */
const CHECK_INTERVAL_MS = 250;
const RETRY_MS_MAX = 10_000;

/** Sends the rows of the outbox until the process stops. Without INGEST_URL, no rows are sent. */
export function startOutbox(deps: AppDeps): Outbox {
  const { config, log } = deps;
  if (config.ingest === undefined) {
    log.warn('INGEST_URL or INTERNAL_TOKEN is not set: warehouse rows are not sent');
    return { stop: async () => undefined };
  }
  const ingest = createIngestClient(config.ingest);
  const stopping = new AbortController();
  const send = () => withRequestId(`outbox-${deps.newId()}`, () => sendRows(deps, ingest));
  const sending = repeat(send, {
    intervalMs: CHECK_INTERVAL_MS,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      log.warn(
        { reason: (error as Error).message, failures },
        'cannot send rows to ingest, retrying',
      );
    },
  });
  return {
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}

/** The number of rows that one transaction locks. */
const LOCKED_MAX = 1_000;
/** The size of a request, which is within ingest's 500 KB with the envelope. */
const REQUEST_BYTES_MAX = ROW_BYTES_MAX + 128 * 1024;
/** The time for the requests of one transaction, short enough that Postgres does not end it as idle. */
const POSTING_MS_MAX = 15_000;
/** The delay before a row is retried, doubled with each attempt. */
const RETRY_SECONDS = 1;
const RETRY_SECONDS_MAX = 300;

type OutboxRow = Pick<RowOf<'ingest_outbox'>, 'id' | 'workspaceId' | 'tableName' | 'row'>;

type Outcome =
  | { readonly kind: 'sent' }
  /** Retried later: the cell is switched off, or ingest does not know the workspace yet. */
  | { readonly kind: 'put off'; readonly reason: string }
  /** Rejected permanently; a platform admin decides. */
  | { readonly kind: 'refused'; readonly reason: string };

type SendDeps = Pick<AppDeps, 'database' | 'metrics' | 'log'>;

/** Throws if ingest is not available; nothing is changed then. */
function sendRows(deps: SendDeps, ingest: IngestClient): Promise<Repeated> {
  return deps.database.asSystem(async em => {
    const rows = await lockRows(em);
    const deadline = performance.now() + POSTING_MS_MAX;
    for (const request of requestsOf(rows)) {
      if (performance.now() > deadline) break;
      const outcome = await post(ingest, request);
      if (outcome.kind === 'refused' && request.length > 1) {
        // Rows are posted one by one to find the rejected ones.
        for (const row of request) await settle(deps, em, [row], await post(ingest, [row]));
      } else await settle(deps, em, request, outcome);
    }
    return rows.length === LOCKED_MAX ? 'again' : 'wait';
  });
}

function lockRows(em: EntityManager): Promise<readonly OutboxRow[]> {
  return kysely(em)
    .selectFrom('ingest_outbox')
    .select(['id', 'workspaceId', 'tableName', 'row'])
    .where('failedAt', 'is', null)
    .where('retryAt', '<=', sql<Date>`now()`)
    .orderBy('retryAt')
    .orderBy('id')
    .limit(LOCKED_MAX)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Groups rows into requests of one workspace and table, within ingest's limits. */
function requestsOf(rows: readonly OutboxRow[]): readonly (readonly OutboxRow[])[] {
  const requests: OutboxRow[][] = [];
  for (const group of Map.groupBy(rows, row => `${row.workspaceId} ${row.tableName}`).values()) {
    let bytes = Number.POSITIVE_INFINITY;
    for (const row of group) {
      const size = Buffer.byteLength(JSON.stringify(row.row));
      if (bytes + size > REQUEST_BYTES_MAX || requests.at(-1)!.length === ROWS_MAX) {
        requests.push([]);
        bytes = 0;
      }
      requests.at(-1)!.push(row);
      bytes += size;
    }
  }
  return requests;
}

async function post(ingest: IngestClient, request: readonly OutboxRow[]): Promise<Outcome> {
  const { workspaceId, tableName: table } = request[0]!;
  const rows = request.map(({ row }) => row);
  const body = JSON.stringify({ workspace_id: workspaceId, table, rows });
  return outcomeOf(await ingest.post('/internal/rows', {}, body));
}

function outcomeOf({ status, body }: IngestAnswer): Outcome {
  if (status === 200) return { kind: 'sent' };
  const faults = body.rejected as { message: string }[] | undefined;
  const reason = `${status}: ${faults?.[0]?.message ?? String(body.detail)}`;
  return { kind: status === 400 || status === 413 ? 'refused' : 'put off', reason };
}

async function settle(
  { metrics, log }: SendDeps,
  em: EntityManager,
  rows: readonly OutboxRow[],
  outcome: Outcome,
): Promise<void> {
  const { workspaceId, tableName: table } = rows[0]!;
  const ids = rows.map(row => row.id);
  metrics.outboxRows.inc({ table, outcome: outcome.kind }, rows.length);
  if (outcome.kind === 'sent') {
    await kysely(em).deleteFrom('ingest_outbox').where('id', 'in', ids).execute();
    return;
  }
  const { kind, reason } = outcome;
  const facts = { workspaceId, table, rows: rows.length, reason };
  const update = kysely(em)
    .updateTable('ingest_outbox')
    .set(row => ({ attempts: row('attempts', '+', 1), failure: reason }))
    .where('id', 'in', ids);
  if (kind === 'put off') {
    log.warn(facts, 'ingest cannot store rows yet, retrying later');
    await update
      .set({
        retryAt: sql`now() + interval '1 second' *
          least(${RETRY_SECONDS} * 2 ^ least(attempts, 16), ${RETRY_SECONDS_MAX})`,
      })
      .execute();
  } else {
    log.error(facts, 'ingest rejected a row permanently');
    await update.set({ failedAt: sql`now()` }).execute();
  }
}
