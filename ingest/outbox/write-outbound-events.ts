import { NAMED_BY } from '../accept/push-delivery.ts';
import type { PostgresClient } from '../postgres/statement.ts';
import { jsonbText } from './jsonb-text.ts';
import type { OutboxRow } from './outbox.ts';

/** Writes rows of OUTBOX_OUTBOUND_EVENTS. Rows of deleted workspaces are dropped. */
export async function writeOutboundEvents(
  client: PostgresClient,
  rows: readonly OutboxRow[],
): Promise<void> {
  const column = (name: string) => rows.map(row => row[name]);
  await client.query({
    text: `SELECT tell_outbound_events($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[],
                                       $5::timestamptz[], $6::int[], $7::uuid[], $8::text[])`,
    values: [
      column('event_id'),
      column('workspace_id'),
      column('type'),
      rows.map(row => jsonbText(String(row.payload))),
      column('occurred_at'),
      // Segments of earlier releases lack this column.
      rows.map(row => row.named ?? NAMED_BY.nothing),
      rows.map(row => row.name ?? null),
      rows.map(row => row.other_names ?? ''),
    ],
  });
}
