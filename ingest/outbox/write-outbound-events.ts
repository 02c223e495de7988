import type pg from 'pg';
import { jsonbText } from './jsonb-text.ts';
import type { OutboxRow } from './outbox.ts';

/** Rows of OUTBOX_OUTBOUND_EVENTS. Those of workspaces that are no longer there are for nobody. */
export async function writeOutboundEvents(
  client: pg.ClientBase,
  rows: readonly OutboxRow[],
): Promise<void> {
  const column = (name: string) => rows.map(row => row[name]);
  await client.query({
    name: 'write-outbound-events',
    text: `INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at)
           SELECT row.* FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[],
                                    $5::timestamptz[])
             AS row (id, workspace_id, type, payload, occurred_at)
           JOIN workspaces ON workspaces.id = row.workspace_id
           ORDER BY row.id
           ON CONFLICT DO NOTHING`,
    values: [
      column('event_id'),
      column('workspace_id'),
      column('type'),
      rows.map(row => jsonbText(String(row.payload))),
      column('occurred_at'),
    ],
  });
}
