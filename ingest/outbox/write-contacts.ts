import { v7 as uuidV7 } from 'uuid';
import type { PostgresClient } from '../postgres/statement.ts';
import { jsonbText } from './jsonb-text.ts';
import type { OutboxRow } from './outbox.ts';

/**
 * Writes rows of OUTBOX_CONTACT_UPDATES. The update with the later timestamp wins, in any order of
 * arrival: an update older than the latest applied one only adds traits that are not yet known. So
 * a repeat changes nothing, and all updates of a person go into one statement.
 */
export async function writeContacts(
  client: PostgresClient,
  rows: readonly OutboxRow[],
): Promise<void> {
  const column = (name: string) => rows.map(row => row[name]);
  const people = [column('workspace_id'), column('user_id')];
  await client.query({
    text: ADD,
    values: [rows.map(() => uuidV7()), ...people],
  });
  const traits = rows.map(row => jsonbText(String(row.traits)));
  await client.query({
    text: UPDATE,
    values: [...people, column('anonymous_id'), traits, column('occurred_at')],
  });
}

// Both statements lock people in the same order, so two writers cannot deadlock.

const ADD = `
  INSERT INTO contacts (id, workspace_id, user_id)
  SELECT row.* FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS row (id, workspace_id, user_id)
  JOIN workspaces ON workspaces.id = row.workspace_id
  ORDER BY row.workspace_id, row.user_id
  ON CONFLICT (workspace_id, user_id) DO NOTHING`;

// Postgres may plan the statement for ten rows regardless of their number. Two of its parts with a
// row per person must not be joined, because the plan could be a nested loop over all of them. So
// the known traits come from the row that is updated. `known` locks the row before it is read, so
// both see the version committed by the last writer. jsonb_object_agg keeps the last of equal keys.
const UPDATE = `
  WITH sent AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[])
      WITH ORDINALITY AS row (workspace_id, user_id, anonymous_id, traits, occurred_at, number)
  ), known AS MATERIALIZED (
    SELECT id, workspace_id, user_id, anonymous_id, traits, traits_at
    FROM contacts JOIN (SELECT DISTINCT workspace_id, user_id FROM sent) AS people
      USING (workspace_id, user_id)
    ORDER BY workspace_id, user_id FOR NO KEY UPDATE OF contacts
  ), said AS (
    SELECT known.id, max(sent.occurred_at) AS at,
      (array_agg(sent.anonymous_id ORDER BY sent.occurred_at DESC, number DESC)
        FILTER (WHERE sent.anonymous_id <> ''))[1] AS anonymous_id,
      jsonb_object_agg(key, value ORDER BY sent.occurred_at, number)
        FILTER (WHERE key IS NOT NULL AND sent.occurred_at < known.traits_at) AS older,
      jsonb_object_agg(key, value ORDER BY sent.occurred_at, number)
        FILTER (WHERE key IS NOT NULL AND sent.occurred_at >= known.traits_at) AS newer
    FROM known JOIN sent USING (workspace_id, user_id)
      LEFT JOIN LATERAL jsonb_each(sent.traits) ON true
    GROUP BY known.id
  )
  UPDATE contacts SET
    traits = coalesce(older, '{}') || contacts.traits || coalesce(newer, '{}'),
    anonymous_id = CASE WHEN said.at >= contacts.traits_at
                     THEN coalesce(said.anonymous_id, contacts.anonymous_id)
                     ELSE coalesce(contacts.anonymous_id, said.anonymous_id) END,
    traits_at = greatest(said.at, contacts.traits_at),
    updated_at = now()
  FROM said WHERE contacts.id = said.id`;
