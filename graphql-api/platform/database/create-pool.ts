import pg from 'pg';
import type { Logger } from 'pino';
import type { PostgresSockets } from './postgres-sockets.ts';

export type DatabaseRole = 'service_app' | 'service_system';

type PoolOptions = {
  readonly url: string;
  readonly role: DatabaseRole;
  readonly max: number;
  readonly sockets: PostgresSockets;
  readonly log: Pick<Logger, 'warn'>;
};

/** A request that gets no connection in this time is rejected. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Far longer than any query of the control plane normally takes. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Longer than an action takes, so that an idempotent repeat waits and gets its result. */
const LOCK_TIMEOUT_MS = 5_000;
/** Limits how long a leaked transaction holds its locks and its snapshot. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Connects on first use, so that a process can start without Postgres. */
export function createPool({ url, role, max, sockets, log }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    stream: sockets.open,
    application_name: `api-${role}`,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: TYPES,
    verify: (client, done) => void requireRole(client, role).then(() => done(), done),
  });
  // Without listeners, a lost connection would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', client => {
    client.on('error', error => {
      if (!pool.ending) log.warn({ reason: error.message, role }, 'Postgres connection lost');
    });
  });
  return pool;
}

/** By type OID. A date has no time zone, so it stays text; an interval is never used as a value. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.DATE, String],
  [pg.types.builtins.INTERVAL, String],
]);

const TYPES: pg.CustomTypesConfig = {
  // biome-ignore lint/suspicious/noExplicitAny: as pg declares it
  getTypeParser: (id: number, format?: any) =>
    PARSERS.get(id) ?? pg.types.getTypeParser(id, format),
};

/**
 * Rejects a new connection that has another role. Row-level security does not apply to superusers, the
 * owner of the tables and members of the system role, so tenants would silently not be isolated.
 */
async function requireRole(client: pg.ClientBase, role: DatabaseRole): Promise<void> {
  const { rows } = await client.query<Facts>(QUESTION);
  const { name, isBound, isApp, isSystem } = rows[0]!;
  const isRight = role === 'service_app' ? isBound && isApp && !isSystem : isSystem;
  if (!isRight)
    throw new Error(`the database role ${name} must be ${role}, without additional privileges`);
}

type Facts = { name: string; isBound: boolean; isApp: boolean; isSystem: boolean };

const QUESTION = `
  SELECT current_user AS name, row_security_active('sdk_keys') AS "isBound",
         pg_has_role('service_app', 'USAGE') AS "isApp",
         pg_has_role('service_system', 'USAGE') AS "isSystem"`;
