// Exports for the tests that walk the schema: a completed export with an empty chunk, and inputs.

import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import { rows } from '../../harness/warehouse.ts';
import type { AuditCase } from './audit-cases.ts';
import { eventRow, insertRows, lastHours } from './report-rows.ts';

export function exportIdOf({ workspaceId }: Pick<Tenant, 'workspaceId'>): string {
  return derivedUuid('export of a test', workspaceId);
}

export async function furnishExports(tenant: Pick<Tenant, 'workspaceId'>): Promise<void> {
  const { workspaceId } = tenant;
  await sql(
    `INSERT INTO event_exports (id, workspace_id, format, names, from_at, to_at, received_before,
       day_count, days_done, chunk_count, event_count, created_by, created_at, finished_at, expires_at)
     VALUES ($1, $2, 'JSON_LINES', ARRAY[$3], '2026-01-01', '2026-01-02', now(), 1, 1, 1, 1, 'user-1',
       now(), now(), now() + interval '1 day')`,
    [exportIdOf(tenant), workspaceId, `export-of-${workspaceId}`],
  );
  await sql(
    `INSERT INTO event_export_chunks (export_id, number, workspace_id, from_at, to_at, events, fingerprint)
     VALUES ($1, 1, $2, '2026-01-01', '2026-01-02', 1, '1')`,
    [exportIdOf(tenant), workspaceId],
  );
}

/** Creates an export of one event, whose only chunk can be downloaded, and returns its ID. */
export async function createDownload(tenant: Tenant, query = sql): Promise<string> {
  const { workspaceId } = tenant;
  const at = '2026-01-01T10:00:00.000Z';
  await insertRows('events_raw', [eventRow(tenant, { timestamp: at })]);
  const [counted] = await rows<{ fingerprint: string }>(
    `SELECT toString(groupBitXor(cityHash64(timestamp, event, message_id, received_at))) AS fingerprint
     FROM events WHERE workspace_id = {workspaceId:UUID}`,
    { workspaceId },
  );
  const [made] = await query(
    `WITH export AS (
       INSERT INTO event_exports (id, workspace_id, format, from_at, to_at, received_before, day_count,
         days_done, chunk_count, event_count, created_by, created_at, finished_at, expires_at)
       VALUES (gen_random_uuid(), $1, 'PARQUET', '2026-01-01', '2026-01-02', $2::timestamptz + interval '1 day',
         1, 1, 1, 1, 'user-1', now(), now(), 'infinity') RETURNING id
     )
     INSERT INTO event_export_chunks (export_id, number, workspace_id, from_at, to_at, events, fingerprint)
     SELECT id, 1, $1, '2026-01-01', '2026-01-02', 1, $3 FROM export RETURNING export_id`,
    [workspaceId, at, counted!.fingerprint],
  );
  return made!.export_id as string;
}

export const EXPORT_INPUTS: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
  eventExportRequest: () => ({ range: lastHours(24), format: 'PARQUET' }),
};

export const EXPORT_CASES: Readonly<Record<string, (tenant: Tenant) => Promise<AuditCase>>> = {
  eventExportDelete: async tenant => {
    await furnishExports(tenant);
    return { id: encodeNodeId('EventExport', exportIdOf(tenant)) };
  },
};
