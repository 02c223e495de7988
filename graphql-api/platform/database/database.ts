// Accesses Postgres as two roles: the application role, which sees the organization of its
// transaction, and the system role, which sees all. Every statement runs in a transaction.

import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, PostgresDialect, type PostgresPool } from 'kysely';
import type { Logger } from 'pino';
import { databaseLogin } from '../../../schema/environment/database-urls.ts';
import { createPool, type DatabaseRole } from './create-pool.ts';
import { PostgresSockets } from './postgres-sockets.ts';
import { type Measure, transactionPool } from './transaction-pool.ts';
import { transactionSettings } from './transaction-settings.ts';

export type OpenTransaction = {
  readonly em: EntityManager;
  /** Rolls back and releases the connection. */
  close(): Promise<void>;
};

export type Database = {
  /** One transaction as the application role. Row-level security limits it to this organization. */
  asTenant<T>(organizationId: string, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** One transaction as the system role, which sees all organizations. */
  asSystem<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** A read-only snapshot as the application role, for all queries of one request. */
  openRead(organizationId: string): Promise<OpenTransaction>;
  /** The reason why Postgres is not usable; undefined if both roles can connect and are correct. */
  fault(): Promise<string | undefined>;
  /** The connections of each role's pool now. */
  poolStates(): readonly PoolState[];
  /** The sockets of all connections to Postgres, including those of pg-boss. */
  readonly sockets: PostgresSockets;
  close(): Promise<void>;
};

export type PoolState = {
  readonly role: DatabaseRole;
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  /** Transactions that wait for a connection. */
  readonly waiting: number;
};

type Entities = NonNullable<Options['entities']>;

type DatabaseOptions = {
  readonly urls: { readonly app: string; readonly system: string };
  readonly poolMax: number;
  readonly entities: Entities;
  readonly log: Pick<Logger, 'warn'>;
  /** For metrics. */
  readonly measure?: (role: DatabaseRole) => Measure;
};

const UNMEASURED: Measure = { waited: () => undefined, ran: () => undefined };

/** For jobs and platform admins, which use few connections at a time. */
const SYSTEM_POOL_MAX = 4;

export async function openDatabase({
  urls,
  poolMax,
  entities,
  log,
  measure = () => UNMEASURED,
}: DatabaseOptions): Promise<Database> {
  const sockets = new PostgresSockets();
  const open = async (address: string, role: DatabaseRole, max: number) => {
    const login = databaseLogin(address);
    const settings = transactionSettings(login.role);
    const pool = createPool({ url: login.url, role, settings, max, sockets, log });
    const orm = await createOrm(transactionPool(pool, settings, measure(role)), entities);
    return { orm, state: () => stateOf(role, pool) };
  };
  const { orm: app, state: appState } = await open(urls.app, 'service_app', poolMax);
  const { orm: system, state: systemState } = await open(
    urls.system,
    'service_system',
    Math.min(poolMax, SYSTEM_POOL_MAX),
  );

  return {
    asTenant: (organizationId, work) => commitAfter(begin(app, 'read write', organizationId), work),
    asSystem: work => commitAfter(begin(system, 'read write', undefined), work),
    async openRead(organizationId) {
      const em = await begin(app, 'read only', organizationId);
      return { em, close: () => em.rollback() };
    },
    async fault() {
      const faults = await Promise.all([
        faultOf(app, 'service_app'),
        faultOf(system, 'service_system'),
      ]);
      return faults.find(fault => fault !== undefined);
    },
    poolStates: () => [appState(), systemState()],
    sockets,
    async close() {
      await Promise.all([app.close(), system.close()]);
    },
  };
}

function stateOf(role: DatabaseRole, pool: ReturnType<typeof createPool>): PoolState {
  const { totalCount, idleCount, waitingCount, options } = pool;
  return { role, max: options.max ?? 0, open: totalCount, idle: idleCount, waiting: waitingCount };
}

function createOrm(pool: PostgresPool, entities: Entities): Promise<MikroORM> {
  return MikroORM.init({
    entities,
    // Required by the ORM, but unused: the pool has the address.
    dbName: 'service',
    // Otherwise, where no database has that name, the ORM closes the pool in order to create one.
    ensureDatabase: false,
    driverOptions: new PostgresDialect({ pool }),
    metadataCache: { enabled: false },
  });
}

async function begin(
  orm: MikroORM,
  accessMode: 'read only' | 'read write',
  organizationId: string | undefined,
): Promise<EntityManager> {
  const em = orm.em.fork();
  const client = orm.em.getConnection().getClient();
  const transaction = await client
    .startTransaction()
    .setAccessMode(accessMode)
    // The reads of one request share a snapshot; writers wait for each other's row locks instead.
    .setIsolationLevel(accessMode === 'read only' ? 'repeatable read' : 'read committed')
    .execute();
  em.setTransactionContext(transaction);
  try {
    if (organizationId !== undefined)
      await transaction.executeQuery(CompiledQuery.raw(SET_ORGANIZATION, [organizationId]));
    return em;
  } catch (error) {
    await em.rollback();
    throw error;
  }
}

/** Local to the transaction, so that it does not leak through the pooled connection. */
const SET_ORGANIZATION = `SELECT set_config('app.organization_id', $1, true)`;

async function commitAfter<T>(
  beginning: Promise<EntityManager>,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const em = await beginning;
  try {
    const result = await work(em);
    await em.commit();
    return result;
  } catch (error) {
    await em.rollback();
    throw error;
  }
}

async function faultOf(orm: MikroORM, role: DatabaseRole): Promise<string | undefined> {
  try {
    await orm.em.getConnection().execute('SELECT 1');
    return undefined;
  } catch (error) {
    return `Postgres as ${role}: ${(error as Error).message}`;
  }
}
