import pg from 'pg';
import type { Logger } from 'pino';
import type { PostgresSockets } from './postgres-sockets.ts';
import { ANSWER_TIMEOUT_MS, BEGIN_TIMEOUT_MS } from './transaction-settings.ts';

/** The role of the transactions of a pool. The replica has a pool of its own. */
export type PoolName = 'service_app' | 'service_system' | 'service_app_replica';

type PoolOptions = {
  readonly url: string;
  readonly name: PoolName;
  /** The statements that begin a transaction. */
  readonly settings: string;
  readonly max: number;
  readonly sockets: PostgresSockets;
  readonly log: Pick<Logger, 'warn'>;
};

/** A request that gets no connection in this time is rejected; a read then goes to the primary. */
const CONNECT_TIMEOUT_MS = 5_000;
const REPLICA_CONNECT_TIMEOUT_MS = 1_000;
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Connects on first use, so that a process can start without Postgres. A pooler may give each transaction
 * to another session of Postgres and refuses most startup parameters, so nothing is set for a session.
 */
export function createPool({ url, name, settings, max, sockets, log }: PoolOptions): pg.Pool {
  const isReplica = name === 'service_app_replica';
  // Throws if the URL is invalid or names a certificate that cannot be read.
  void new pg.Client({ connectionString: url });
  const pool = new pg.Pool({
    connectionString: url,
    stream: sockets.open,
    application_name: `api-${name}`,
    max,
    connectionTimeoutMillis: isReplica ? REPLICA_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    types: TYPES,
    verify: (client, done) => void verify(client, name, settings).then(() => done(), done),
  });
  // Without listeners, a lost connection would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', client => {
    client.on('error', error => {
      if (!pool.ending) log.warn({ reason: error.message, role: name }, 'Postgres connection lost');
    });
  });
  return pool;
}

/** The types of pg lack the timeout of one query. */
export function answeredWithin(timeoutMs: number, text: string): pg.QueryConfig {
  const timeout: object = { query_timeout: timeoutMs };
  return { text, ...timeout };
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
 * owner of the tables and members of the system role, so tenants would silently not be isolated. Also
 * rejects a standby: after a failover, a name may still point to the former primary for a while.
 */
async function verify(client: pg.ClientBase, pool: PoolName, settings: string): Promise<void> {
  const text = `BEGIN; ${settings}; ${QUESTION}; COMMIT`;
  const results: unknown = await client.query(answeredWithin(BEGIN_TIMEOUT_MS, text));
  const [facts] = (results as readonly pg.QueryResult<Facts>[]).flatMap(({ rows }) => rows);
  const { name, isBound, isApp, isSystem, isStandby } = facts!;
  if (isStandby && pool !== 'service_app_replica')
    throw new StandbyRefused('Postgres is a standby, which accepts no changes');
  const role = pool === 'service_system' ? pool : 'service_app';
  const isRight = role === 'service_app' ? isBound && isApp && !isSystem : isSystem;
  if (!isRight)
    throw new Error(
      `the database role ${name} must be ${role} and must not have additional privileges`,
    );
}

class StandbyRefused extends Error {
  readonly code = 'ERR_POSTGRES_STANDBY';
}

type Facts = Readonly<Record<'isBound' | 'isApp' | 'isSystem' | 'isStandby', boolean>> & {
  readonly name: string;
};

const QUESTION = `
  SELECT current_user AS name, row_security_active('sdk_keys') AS "isBound",
         pg_has_role('service_app', 'USAGE') AS "isApp",
         pg_has_role('service_system', 'USAGE') AS "isSystem",
         pg_is_in_recovery() AS "isStandby"`;
