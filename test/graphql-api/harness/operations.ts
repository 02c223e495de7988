// Data for manual operations of platform admins and for replays of tenants.

import { randomUUID } from 'node:crypto';
import { READER } from '../../../graphql-api/payments/facts/facts-of-event.ts';
import { DEAD_LETTERS } from '../../../graphql-api/platform/jobs/job-queue.ts';
import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { eventually } from '../../harness/eventually.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';

type Workspace = Pick<Tenant, 'workspaceId'>;

export type DeadLetterOptions = {
  readonly job?: string;
  readonly data?: object;
  readonly databaseUrl?: string;
};

/**
 * Returns its ID. Waits for the queue, which a process creates after it has connected to Postgres.
 */
export async function createDeadLetter({
  job = 'forget-old-records',
  data = { dueAt: '2026-11-01T00:00:00Z' },
  databaseUrl,
}: DeadLetterOptions = {}): Promise<string> {
  const id = randomUUID();
  await eventually(() =>
    sql(
      `INSERT INTO ${JOB_QUEUE_SCHEMA}.job
         (id, name, data, source_id, source_name, source_output, source_retry_count,
          source_created_on, created_on)
       VALUES ($1, $2, $3, gen_random_uuid(), $4, '{"message":"it broke"}', 2,
               '2026-11-01', '2026-11-02')`,
      [id, DEAD_LETTERS, JSON.stringify(data), job],
      databaseUrl,
    ),
  );
  return id;
}

/** Creates a warehouse row that ingest refused permanently, and returns its ID. */
export async function createRefusedRow(
  { workspaceId }: Workspace,
  row: object = { card_id: 'none' },
  databaseUrl?: string,
): Promise<string> {
  const id = randomUUID();
  await sql(
    `INSERT INTO ingest_outbox (id, workspace_id, table_name, row, attempts, failed_at, failure)
     VALUES ($1, $2, 'activity_cards_raw', $3, 1, now(), '400: it is wrong')`,
    [id, workspaceId, JSON.stringify(row)],
    databaseUrl,
  );
  return id;
}

export function replayIdOf({ workspaceId }: Workspace): string {
  return derivedUuid('replay of a test', workspaceId);
}

/** A completed replay, as if requested by the workspace. */
export async function createReplay({ workspaceId }: Workspace): Promise<void> {
  await sql(
    `INSERT INTO rejected_events_replays
       (id, workspace_id, actor_id, request, found, accepted, refused, started_at, finished_at)
     VALUES ($1, $2, $3, $4, 3, 1, '{"MISSING_FIELD": 2}', now(), now())`,
    [
      replayIdOf({ workspaceId }),
      workspaceId,
      `of-${workspaceId}`,
      JSON.stringify({ codes: ['INVALID_TIMESTAMP'], since: '2026-01-01T00:00:00Z' }),
    ],
  );
}

/** Creates a gateway event that this release could not process, and returns its ID. */
export async function createParkedEvent(
  { workspaceId }: Workspace,
  databaseUrl?: string,
): Promise<string> {
  const id = randomUUID();
  await sql(
    `INSERT INTO gateway_events (id, account_id, event_key, type, family, body, verified_field,
       verified_generation, received_at, state, attempts, error, reader, workspace_id)
     VALUES ($1::uuid, $2, $1::text, 'PAYMENT_SUCCESS_WEBHOOK', 'payment',
       '{"type":"PAYMENT_SUCCESS_WEBHOOK","data":{}}', 'webhook_secret', 'CURRENT', now(), 'PARKED', 1,
       'UNREADABLE: cf_payment_id is missing', $3, $2)`,
    [id, workspaceId, READER],
    databaseUrl,
  );
  return id;
}
