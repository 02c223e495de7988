import type pg from 'pg';
import { v7 as uuidV7 } from 'uuid';
import type { OutboxRow } from './outbox.ts';

/**
 * Rows of OUTBOX_CONTACT_UPDATES. One that is older than the latest applied only adds what is not
 * known of the person yet, so neither a late arrival nor a repeat undoes anything.
 */
export async function writeContacts(
  client: pg.ClientBase,
  rows: readonly OutboxRow[],
): Promise<void> {
  for (const group of groupsOfDistinctPeople(rows)) await upsert(client, group);
}

async function upsert(client: pg.ClientBase, rows: readonly OutboxRow[]): Promise<void> {
  const column = (name: string) => rows.map(row => row[name]);
  await client.query({
    name: 'write-contacts',
    text: `INSERT INTO contacts AS known (id, workspace_id, user_id, anonymous_id, traits, traits_at)
           SELECT row.id, row.workspace_id, row.user_id, nullif(row.anonymous_id, ''), row.traits,
                  row.occurred_at
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[],
                       $6::timestamptz[])
             AS row (id, workspace_id, user_id, anonymous_id, traits, occurred_at)
           JOIN workspaces ON workspaces.id = row.workspace_id
           ORDER BY row.workspace_id, row.user_id
           ON CONFLICT (workspace_id, user_id) DO UPDATE SET
             traits = CASE WHEN excluded.traits_at >= known.traits_at
                        THEN known.traits || excluded.traits
                        ELSE excluded.traits || known.traits END,
             anonymous_id = CASE WHEN excluded.traits_at >= known.traits_at
                        THEN coalesce(excluded.anonymous_id, known.anonymous_id)
                        ELSE coalesce(known.anonymous_id, excluded.anonymous_id) END,
             traits_at = greatest(excluded.traits_at, known.traits_at),
             updated_at = now()`,
    values: [
      rows.map(() => uuidV7()),
      column('workspace_id'),
      column('user_id'),
      column('anonymous_id'),
      column('traits'),
      column('occurred_at'),
    ],
  });
}

/** One statement can't change a row twice; the order of a person's updates is kept. */
function groupsOfDistinctPeople(rows: readonly OutboxRow[]): OutboxRow[][] {
  const groups: OutboxRow[][] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    const person = `${row.workspace_id}/${row.user_id}`;
    const group = seen.get(person) ?? 0;
    seen.set(person, group + 1);
    const rowsOfGroup = groups[group];
    if (rowsOfGroup === undefined) groups.push([row]);
    else rowsOfGroup.push(row);
  }
  return groups;
}
