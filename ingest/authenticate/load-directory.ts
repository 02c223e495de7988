import type { PostgresClient } from '../postgres/statement.ts';
import {
  type DirectoryRows,
  type GatewaySecretData,
  secretsByWorkspace,
  type TableName,
} from './directory-data.ts';
import {
  CHANGES_MAX,
  isEarlier,
  type ListedChanges,
  listChanges,
  readRevision,
} from './directory-revision.ts';
import type { Wanted } from './directory-tables.ts';

export type LoadedDirectory = {
  readonly server: string;
  readonly revision: string;
  readonly listed: ListedChanges;
  readonly wanted: Wanted;
  readonly rows: DirectoryRows;
};

export type LoadOptions = {
  readonly nowMs: number;
  /** The whole directory is loaded if this is undefined or from another server. */
  readonly last?: LastLoad | undefined;
  /** The organization of a workspace that is known already. */
  readonly organizationOf?: (workspaceId: string) => string | undefined;
};

export type LastLoad = {
  readonly server: string;
  /** The oldest transaction that it may not have seen. */
  readonly since: string;
  /** The changes of later transactions that it has seen. */
  readonly loaded: ReadonlySet<string>;
};

/**
 * A table of a million rows loads well within this time; a longer load means that the database
 * hangs.
 */
const TABLE_TIMEOUT_MS = 20_000;

/** The transaction for a load. */
export const LOAD = {
  mode: 'ISOLATION LEVEL REPEATABLE READ READ ONLY',
  timeoutMs: TABLE_TIMEOUT_MS,
};

/**
 * Reads the directory, or the rows of it that changed. The state is consistent if the client is in a
 * transaction.
 */
export async function loadDirectory(
  client: PostgresClient,
  { nowMs, last, organizationOf = () => undefined }: LoadOptions,
): Promise<LoadedDirectory> {
  await refuseBlindRole(client);
  const { id: revision, server } = await readRevision(client);
  const since = last?.server === server ? last.since : undefined;
  const listed = await listChanges(client, since);
  const changed = changedRows(listed, since, last?.loaded);
  const workspaces = await load(client, 'workspaces', changed, nowMs);
  const organizations = changedOrganizations(changed, workspaces, organizationOf);
  const wanted = { ...changed, organizations };
  const rows: DirectoryRows = {
    cells: await load(client, 'cells', wanted, nowMs),
    organizations: await load(client, 'organizations', wanted, nowMs),
    workspaces,
    properties: await load(client, 'properties', wanted, nowMs),
    sdkKeys: await load(client, 'sdkKeys', wanted, nowMs),
    gatewaySecrets: secretsByWorkspace(await load(client, 'gatewaySecrets', wanted, nowMs)),
  };
  return { server, revision, listed, wanted, rows };
}

export const EVERYTHING: Wanted = {
  cells: 'all',
  organizations: 'all',
  workspaces: 'all',
  properties: 'all',
  sdkKeys: 'all',
  gatewaySecrets: 'all',
};

const NAMES: ReadonlyMap<string | null, TableName> = new Map([
  ['cells', 'cells'],
  ['organizations', 'organizations'],
  ['workspaces', 'workspaces'],
  ['properties', 'properties'],
  ['sdk_keys', 'sdkKeys'],
  ['gateway_secrets', 'gatewaySecrets'],
]);

function changedRows(
  { next, changes }: ListedChanges,
  since: string | undefined,
  loaded: ReadonlySet<string> = new Set(),
): Wanted {
  if (since === undefined || isEarlier(next, since)) return EVERYTHING;
  if (changes.length > CHANGES_MAX) return EVERYTHING;
  const wanted: { [Table in TableName]?: Set<string> } = {};
  for (const { revision, tableName, rowId } of changes) {
    if (loaded.has(revision)) continue;
    const name = NAMES.get(tableName);
    if (name === undefined || rowId === null) return EVERYTHING;
    wanted[name] = (wanted[name] ?? new Set()).add(rowId);
  }
  return wanted;
}

/** Also organizations whose limit is the default of a cell, which may have changed. */
function changedOrganizations(
  { cells, organizations, workspaces }: Wanted,
  loaded: DirectoryRows['workspaces'],
  organizationOf: (workspaceId: string) => string | undefined,
): ReadonlySet<string> | 'all' {
  if (cells !== undefined || organizations === 'all' || workspaces === 'all') return 'all';
  const earlier = [...(workspaces ?? [])].flatMap(id => organizationOf(id) ?? []);
  return new Set([...(organizations ?? []), ...loaded.map(row => row.organizationId), ...earlier]);
}

type Source = {
  readonly select: string;
  /** The column that the change log names. */
  readonly id: string;
  /** `$1` is the current time. */
  readonly condition?: string;
  readonly order?: string;
};

const SOURCES: Readonly<Record<TableName, Source>> = {
  cells: { select: 'SELECT id, slug, is_enabled AS "isEnabled" FROM cells', id: 'id' },
  organizations: {
    select:
      'SELECT organization_id AS id, events_per_minute AS "eventsPerMinute" FROM ingress_limits',
    id: 'organization_id',
  },
  workspaces: {
    select: 'SELECT id, organization_id AS "organizationId", cell_id AS "cellId" FROM workspaces',
    id: 'id',
  },
  properties: { select: 'SELECT id, workspace_id AS "workspaceId" FROM properties', id: 'id' },
  sdkKeys: {
    select: `SELECT id, workspace_id AS "workspaceId", write_key AS "writeKey",
                    minute_cap AS "minuteCap", hour_cap AS "hourCap", origins, accepts,
                    (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs"
             FROM sdk_keys`,
    id: 'id',
    condition: 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1::timestamptz)',
  },
  gatewaySecrets: {
    select: `SELECT workspace_id AS "workspaceId", field, generation, key_id AS "keyId", sealed,
                    (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs"
             FROM gateway_secrets`,
    id: 'workspace_id',
    condition: `field <> 'client_secret' AND (expires_at IS NULL OR expires_at > $1::timestamptz)`,
    order: 'ORDER BY workspace_id, field DESC, generation',
  },
};

type RowsOf<Name extends TableName> = Name extends 'gatewaySecrets'
  ? GatewaySecretData[]
  : DirectoryRows[Name];

async function load<Name extends TableName>(
  client: PostgresClient,
  name: Name,
  wanted: Wanted,
  nowMs: number,
): Promise<RowsOf<Name>> {
  const { select, id, condition, order = '' } = SOURCES[name];
  const ids = wanted[name] ?? new Set();
  if (ids !== 'all' && ids.size === 0) return [] as unknown as RowsOf<Name>;
  const conditions = condition === undefined ? [] : [condition];
  const values: unknown[] = condition === undefined ? [] : [new Date(nowMs)];
  if (ids !== 'all') {
    values.push(Array.from(ids));
    conditions.push(`${id} = ANY($${values.length}::uuid[])`);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return (await rows(client, `${select} ${where} ${order}`, values)) as RowsOf<Name>;
}

/**
 * For a role without a policy, row-level security returns empty tables instead of an error. Such a
 * directory would reject every write key, so the role is checked first.
 */
async function refuseBlindRole(client: PostgresClient): Promise<void> {
  const [role] = await rows<{ isBlind: boolean }>(
    client,
    `SELECT row_security_active('sdk_keys') AND NOT pg_has_role('service_system', 'USAGE')
       AS "isBlind"`,
  );
  if (role?.isBlind !== false) {
    throw new Error('the database role of ingest must be a member of service_system');
  }
}

async function rows<Row extends Record<string, unknown>>(
  client: PostgresClient,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await client.query<Row>({ text, values })).rows;
}
