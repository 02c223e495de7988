// The two ways to Postgres: as the application role, which sees the organisation of its transaction,
// and as the system role, which sees all. Nothing is read or written outside of a transaction.

import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, PostgresDialect } from 'kysely';
import type { Logger } from 'pino';
import { createPool } from './create-pool.ts';
import { PostgresSockets } from './postgres-sockets.ts';
import type { DatabaseRole } from './require-role.ts';
import { transactionPool } from './transaction-pool.ts';

export type OpenTransaction = {
  readonly em: EntityManager;
  /** Gives the connection back; nothing is written. */
  close(): Promise<void>;
};

export type Database = {
  /** One transaction as the application role: row-level security shows this organisation only. */
  asTenant<T>(organizationId: string, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** One transaction as the system role, which sees every organisation. */
  asSystem<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** A read-only snapshot as the application role, for the queries of one request. */
  openRead(organizationId: string): Promise<OpenTransaction>;
  /** Undefined when both roles answer and are what they should be, else the reason. */
  fault(): Promise<string | undefined>;
  /** Of its connections, and of those that others make with it. */
  readonly sockets: PostgresSockets;
  close(): Promise<void>;
};

type Entities = NonNullable<Options['entities']>;

export type DatabaseOptions = {
  readonly urls: { readonly app: string; readonly system: string };
  readonly poolMax: number;
  readonly entities: Entities;
  readonly log: Pick<Logger, 'warn'>;
};

/** For jobs and platform admins: few at a time. */
const SYSTEM_POOL_MAX = 4;

export async function openDatabase({
  urls,
  poolMax,
  entities,
  log,
}: DatabaseOptions): Promise<Database> {
  const sockets = new PostgresSockets();
  const pools = {
    app: createPool({ url: urls.app, role: 'service_app', max: poolMax, sockets, log }),
    system: createPool({
      url: urls.system,
      role: 'service_system',
      max: Math.min(poolMax, SYSTEM_POOL_MAX),
      sockets,
      log,
    }),
  };
  const app = await createOrm(pools.app, entities);
  const system = await createOrm(pools.system, entities);

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
    sockets,
    async close() {
      await Promise.all([app.close(), system.close()]);
    },
  };
}

function createOrm(pool: ReturnType<typeof createPool>, entities: Entities): Promise<MikroORM> {
  return MikroORM.init({
    entities,
    // The pool knows where; the ORM asks all the same.
    dbName: 'service',
    driverOptions: new PostgresDialect({ pool: transactionPool(pool) }),
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
    // What one request reads belongs together; writers wait for each other's rows instead.
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

/** Until the end of the transaction, so that a pooled connection forgets it. */
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
