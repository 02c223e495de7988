// The statements that create and remove analyst logins in ClickHouse. All of them can be repeated. A
// login is a user with a row policy for its workspace and the role of all analysts. The embedded
// ClickHouse has no users; it understands exactly these statements.

import { isUuid } from '../values/uuid.ts';
import { STORED_TABLES, UNWALLED_TABLES, VIEWS, VIEWS_OF_SHARDS } from './analyst-tables.ts';

/** Also the names of the settings profile, the quota and the policies that all logins share. */
const ANALYST_ROLE = 'service_analyst';
/** Begins the names of all logins, so that they are recognized among the users of the server. */
export const LOGIN_PREFIX = 'analyst_';
const LOGIN_NAME = /^analyst_[a-z0-9]{12}$/;

type LoginStatements = {
  /** The name of the user; matches `LOGIN_NAME`. */
  readonly userName: string;
  /** SHA-256 of the password, in hexadecimal digits. */
  readonly passwordHash: string;
  readonly workspaceId: string;
};

export type WarehousePlace = {
  readonly database: string;
  /** The name of the cluster, if the warehouse is one. */
  readonly cluster: string | undefined;
};

/** Analysts' questions may read months of events; reports of the API have lower limits. */
const EXECUTION_SECONDS_MAX = 120;
/** Leaves memory for inserts and merges. */
const MEMORY_BYTES_MAX = 4_000_000_000;
/** About what one machine can read in that time. */
const ROWS_TO_READ_MAX = 5_000_000_000;
/** Larger results are exports, which query tools do not display. */
const RESULT_ROWS_MAX = 5_000_000;
/** A dashboard asks a few queries at a time. */
const CONCURRENT_QUERIES_MAX = 8;
/** A dashboard of twenty panels that refreshes each 30 s asks 2,400. */
const QUERIES_PER_HOUR_MAX = 5_000;
/** Four cores for an hour. */
const EXECUTION_SECONDS_PER_HOUR_MAX = 14_400;

/**
 * The objects that all logins share. Sent before the first login, and again whenever it has
 * changed.
 */
export function sharedStatements(place: WarehousePlace): readonly string[] {
  const on = onCluster(place);
  const tables = tablesOf(place);
  const maximum = (name: string, value: number) => `${name} = ${value} MAX ${value}`;
  const limits = [
    // 2: a client can change settings, as all of them do, but no data. Policies do not depend on settings.
    'readonly = 2 READONLY',
    maximum('max_execution_time', EXECUTION_SECONDS_MAX),
    maximum('max_memory_usage', MEMORY_BYTES_MAX),
    maximum('max_rows_to_read', ROWS_TO_READ_MAX),
    maximum('max_result_rows', RESULT_ROWS_MAX),
    maximum('max_concurrent_queries_for_user', CONCURRENT_QUERIES_MAX),
    'allow_ddl = 0 READONLY',
    'allow_introspection_functions = 0 READONLY',
  ];
  return [
    `CREATE SETTINGS PROFILE OR REPLACE \`${ANALYST_ROLE}\`${on} SETTINGS ${limits.join(', ')}`,
    `CREATE ROLE IF NOT EXISTS \`${ANALYST_ROLE}\`${on}`,
    // All other users are unrestricted, even if the server hides the rows of tables with policies from users without
    // a policy.
    `CREATE ROW POLICY OR REPLACE \`${ANALYST_ROLE}_others\`${on} ON ${tables.join(', ')} USING 1 TO ALL EXCEPT \`${ANALYST_ROLE}\``,
    // An analyst without a policy for a workspace reads no row.
    `CREATE ROW POLICY OR REPLACE \`${ANALYST_ROLE}_nothing\`${on} ON ${tables.join(', ')} USING 0 TO \`${ANALYST_ROLE}\``,
    // The policies are created before anyone can read the tables.
    ...[...tables, ...UNWALLED_TABLES.map(table => nameOf(place, table))].map(
      table => `GRANT${on} SELECT ON ${table} TO \`${ANALYST_ROLE}\``,
    ),
    `CREATE QUOTA OR REPLACE \`${ANALYST_ROLE}\`${on} KEYED BY user_name FOR INTERVAL 1 hour MAX queries = ${QUERIES_PER_HOUR_MAX}, execution_time = ${EXECUTION_SECONDS_PER_HOUR_MAX} TO \`${ANALYST_ROLE}\``,
  ];
}

/** Creates the login. The role is granted last, because it gives the user read access. */
export function createStatements(login: LoginStatements, place: WarehousePlace): readonly string[] {
  requireSafe(login);
  const on = onCluster(place);
  const { userName, passwordHash, workspaceId } = login;
  return [
    `CREATE USER IF NOT EXISTS \`${userName}\`${on} IDENTIFIED WITH sha256_hash BY '${passwordHash}' DEFAULT DATABASE ${quotedName(place.database)} SETTINGS PROFILE '${ANALYST_ROLE}'`,
    `CREATE ROW POLICY OR REPLACE \`${userName}\`${on} ON ${tablesOf(place).join(', ')} USING workspace_id = '${workspaceId}' TO \`${userName}\``,
    `GRANT${on} \`${ANALYST_ROLE}\` TO \`${userName}\``,
  ];
}

/**
 * Removes the login. The user is dropped first: if its policies were dropped first, it would still have the
 * role without them.
 */
export function dropStatements(
  { userName }: Pick<LoginStatements, 'userName'>,
  place: WarehousePlace,
): readonly string[] {
  requireSafeName(userName);
  const on = onCluster(place);
  return [
    `DROP USER IF EXISTS \`${userName}\`${on}`,
    `DROP ROW POLICY IF EXISTS \`${userName}\`${on} ON ${tablesOf(place).join(', ')}`,
  ];
}

/** The logins that exist in a ClickHouse, and the database of each. */
export const LOGINS_QUESTION = `SELECT name, default_database FROM system.users WHERE startsWith(name, '${LOGIN_PREFIX}')`;

function tablesOf(place: WarehousePlace): readonly string[] {
  // On a cluster the views read the tables of all nodes through these.
  const ofCluster =
    place.cluster === undefined
      ? []
      : [...STORED_TABLES.map(table => `${table}_all`), ...VIEWS_OF_SHARDS];
  return [...STORED_TABLES, ...ofCluster, ...VIEWS].map(table => nameOf(place, table));
}

function nameOf({ database }: WarehousePlace, table: string): string {
  return `${quotedName(database)}.${quotedName(table)}`;
}

function onCluster({ cluster }: WarehousePlace): string {
  return cluster === undefined ? '' : ` ON CLUSTER ${quotedName(cluster)}`;
}

function quotedName(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;
}

const HASH = /^[0-9a-f]{64}$/;

/** Detects defects of our own: these values are part of the text, because DDL takes no parameters. */
function requireSafe({ userName, passwordHash, workspaceId }: LoginStatements): void {
  requireSafeName(userName);
  if (!HASH.test(passwordHash)) throw new Error('passwordHash must be 64 hexadecimal digits');
  if (!isUuid(workspaceId)) throw new Error('workspaceId must be a UUID');
}

function requireSafeName(userName: string): void {
  if (!LOGIN_NAME.test(userName)) throw new Error('the name of a login is malformed');
}
