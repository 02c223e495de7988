import type { PostgresClient } from '../postgres/statement.ts';

export type Deactivation = {
  readonly workspaceId: string;
  /** Undefined: the token is deactivated for all properties of the workspace. */
  readonly propertyId: string | undefined;
  /** In normalized form; several if the platform is not known. */
  readonly tokens: readonly string[];
  readonly reason: string;
  readonly atMs: number;
};

/**
 * Deactivates all of them in one statement. Unknown tokens are ignored, and inactive devices keep
 * their earlier reason and time. Rows are locked in the same order as registrations lock them.
 */
export async function deactivateDevices(
  client: PostgresClient,
  deactivations: readonly Deactivation[],
): Promise<void> {
  const rows = deactivations.flatMap(({ tokens, ...rest }) =>
    tokens.map(token => ({ token, ...rest })),
  );
  if (rows.length === 0) return;
  await client.query({
    text: `WITH named AS (
             SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])
               WITH ORDINALITY AS row (workspace_id, property_id, token, reason, at, position)
           ), found AS (
             SELECT known.id, named.reason, named.at, named.position
             FROM named
             JOIN devices AS known ON known.workspace_id = named.workspace_id
               AND known.token = named.token
               AND (named.property_id IS NULL OR known.property_id = named.property_id)
             WHERE known.status = 'ACTIVE'
             ORDER BY known.workspace_id, known.token COLLATE "C", known.property_id NULLS FIRST
             FOR UPDATE OF known
           ), first AS (
             SELECT DISTINCT ON (id) id, reason, at FROM found ORDER BY id, position
           )
           UPDATE devices AS known
           SET status = 'INACTIVE', deactivated_at = first.at,
               deactivation_reason = nullif(first.reason, '')
           FROM first
           WHERE known.id = first.id AND known.status = 'ACTIVE'`,
    values: [
      rows.map(row => row.workspaceId),
      rows.map(row => row.propertyId ?? null),
      rows.map(row => row.token),
      rows.map(row => row.reason),
      rows.map(row => new Date(row.atMs).toISOString()),
    ],
  });
}
