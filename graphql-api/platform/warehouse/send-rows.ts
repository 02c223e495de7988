// From the outbox to ingest. Rows are locked, posted, and removed once ingest has them on disk, in one
// transaction: of several processes each takes other rows, and one that dies leaves its own to the
// next. What was posted and not removed is posted again; the warehouse shows it once.

import type { EntityManager } from '@mikro-orm/postgresql';
import { ROW_BYTES_MAX, ROWS_MAX } from '../../../schema/rows/control-plane-rows.ts';
import type { AppDeps } from '../context.ts';
import { numberedSql } from '../database/numbered-sql.ts';
import type { Repeated } from '../jobs/repeat.ts';
import type { IngestAnswer, IngestClient } from './ingest-client.ts';

/** Locked by one transaction. */
const LOCKED_MAX = 1_000;
/** Of a request; with its envelope it stays within ingest's 500 KB. */
const REQUEST_BYTES_MAX = ROW_BYTES_MAX + 128 * 1024;
/** For the posts of one transaction, well before Postgres ends it as idle. */
const POSTING_MS_MAX = 15_000;
/** A row that can't be stored now is tried again after this, doubled each time. */
const RETRY_SECONDS = 1;
const RETRY_SECONDS_MAX = 300;

type OutboxRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly table: string;
  readonly row: object;
};

type Outcome =
  | { readonly kind: 'sent' }
  /** Not now: the cell is switched off, or ingest does not know the workspace yet. */
  | { readonly kind: 'put off'; readonly reason: string }
  /** Never: for a person to look at. */
  | { readonly kind: 'refused'; readonly reason: string };

type SendDeps = Pick<AppDeps, 'database' | 'metrics' | 'log'>;

/** Throws where ingest is away, with everything left as it was. */
export function sendRows(deps: SendDeps, ingest: IngestClient): Promise<Repeated> {
  return deps.database.asSystem(async em => {
    const rows = await lockRows(em);
    const deadline = performance.now() + POSTING_MS_MAX;
    for (const request of requestsOf(rows)) {
      if (performance.now() > deadline) break;
      const outcome = await post(ingest, request);
      if (outcome.kind === 'refused' && request.length > 1) {
        // One of them: found by itself, so that the others don't wait for it.
        for (const row of request) await settle(deps, em, [row], await post(ingest, [row]));
      } else await settle(deps, em, request, outcome);
    }
    return rows.length === LOCKED_MAX ? 'again' : 'wait';
  });
}

async function lockRows(em: EntityManager): Promise<readonly OutboxRow[]> {
  const { rows } = await numberedSql(em).executeSql(
    `SELECT id, workspace_id AS "workspaceId", table_name AS "table", row
     FROM ingest_outbox WHERE failed_at IS NULL AND retry_at <= now()
     ORDER BY retry_at, id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [LOCKED_MAX],
  );
  return rows as OutboxRow[];
}

/** A request is of one workspace and table, and within ingest's limits. */
function requestsOf(rows: readonly OutboxRow[]): readonly (readonly OutboxRow[])[] {
  const requests: OutboxRow[][] = [];
  for (const group of Map.groupBy(rows, row => `${row.workspaceId} ${row.table}`).values()) {
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
  const { workspaceId, table } = request[0]!;
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
  const { workspaceId, table } = rows[0]!;
  const ids = rows.map(row => row.id);
  const { executeSql } = numberedSql(em);
  metrics.outboxRows.inc({ table, outcome: outcome.kind }, rows.length);
  if (outcome.kind === 'sent') {
    await executeSql('DELETE FROM ingest_outbox WHERE id = ANY($1)', [ids]);
    return;
  }
  const { kind, reason } = outcome;
  const facts = { workspaceId, table, rows: rows.length, reason };
  if (kind === 'put off') {
    log.warn(facts, 'rows for ingest are put off');
    await executeSql(
      `UPDATE ingest_outbox SET attempts = attempts + 1, failure = $2,
         retry_at = now() + least($3 * 2 ^ least(attempts, 16), $4) * interval '1 second'
       WHERE id = ANY($1)`,
      [ids, reason, RETRY_SECONDS, RETRY_SECONDS_MAX],
    );
  } else {
    log.error(facts, 'ingest refuses a row for good');
    await executeSql(
      `UPDATE ingest_outbox SET attempts = attempts + 1, failure = $2, failed_at = now()
       WHERE id = ANY($1)`,
      [ids, reason],
    );
  }
}
