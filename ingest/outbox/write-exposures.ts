import type { PostgresClient } from '../postgres/statement.ts';
import type { OutboxRow } from './outbox.ts';

/** Writes rows of OUTBOX_EXPOSURES. Rows of deleted workspaces are dropped. */
export async function writeExposures(
  client: PostgresClient,
  rows: readonly OutboxRow[],
): Promise<void> {
  const column = (name: string) => rows.map(row => row[name]);
  await client.query({
    text: `INSERT INTO exposures (id, workspace_id, user_id, campaign_id, event_type, occurred_at)
           SELECT row.* FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[],
                                    $6::timestamptz[])
             AS row (id, workspace_id, user_id, campaign_id, event_type, occurred_at)
           JOIN workspaces ON workspaces.id = row.workspace_id
           ORDER BY row.id
           ON CONFLICT DO NOTHING`,
    values: [
      column('exposure_id'),
      column('workspace_id'),
      column('user_id'),
      column('campaign_id'),
      column('event_type'),
      column('occurred_at'),
    ],
  });
}
