import type { ClientBase } from 'pg';
import type { DirectoryData } from './directory-data.ts';
import { readRevision } from './directory-revision.ts';

/**
 * Reads the whole directory as one consistent state. If it throws, the client must not be reused.
 */
export async function loadDirectory(client: ClientBase, nowMs: number): Promise<DirectoryData> {
  await client.query(
    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${TABLE_TIMEOUT_MS}`,
  );
  await refuseBlindRole(client);
  const data: DirectoryData = {
    revision: (await readRevision(client)).id,
    loadedAtMs: nowMs,
    cells: await rows(client, 'SELECT id, slug, is_enabled AS "isEnabled" FROM cells'),
    organizations: await rows(
      client,
      'SELECT organization_id AS id, events_per_minute AS "eventsPerMinute" FROM ingress_limits',
    ),
    workspaces: await rows(
      client,
      'SELECT id, organization_id AS "organizationId", cell_id AS "cellId" FROM workspaces',
    ),
    properties: await rows(client, 'SELECT id, workspace_id AS "workspaceId" FROM properties'),
    sdkKeys: await rows(
      client,
      `SELECT id, workspace_id AS "workspaceId", write_key AS "writeKey",
              minute_cap AS "minuteCap", hour_cap AS "hourCap", origins,
              (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs"
       FROM sdk_keys
       WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1::timestamptz)`,
      [new Date(nowMs)],
    ),
    gatewaySecrets: await rows(
      client,
      `SELECT workspace_id AS "workspaceId", field, generation, key_id AS "keyId", sealed,
              (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs"
       FROM gateway_secrets
       WHERE field <> 'client_secret' AND (expires_at IS NULL OR expires_at > $1::timestamptz)
       ORDER BY workspace_id, field DESC, generation`,
      [new Date(nowMs)],
    ),
  };
  await client.query('COMMIT');
  return data;
}

/**
 * Row-level security shows a role without a policy empty tables instead of an error. Such a
 * directory would reject every write key, so the role is checked first.
 */
async function refuseBlindRole(client: ClientBase): Promise<void> {
  const [role] = await rows<{ isBlind: boolean }>(
    client,
    `SELECT row_security_active('sdk_keys') AND NOT pg_has_role('service_system', 'USAGE')
       AS "isBlind"`,
  );
  if (role?.isBlind !== false) {
    throw new Error('the database role of ingest must be a member of service_system');
  }
}

async function rows<Row extends object>(
  client: ClientBase,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  // The types of pg lack this option. It overrides the connection's shorter timeout.
  const query = { text, values, query_timeout: TABLE_TIMEOUT_MS };
  return (await client.query<Row>(query)).rows;
}

/**
 * A table of a million rows loads well within this time; a longer load means that the database
 * hangs.
 */
const TABLE_TIMEOUT_MS = 20_000;
