// Accesses Postgres as two roles: the application role, which sees the organization of its
// transaction, and the system role, which sees all. Every statement runs in a transaction.

import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { databaseLogin } from '../../../schema/environment/database-urls.ts';
import { createPool, type PoolName } from './create-pool.ts';
import { PostgresSockets } from './postgres-sockets.ts';
import { createReadReplica } from './read-replica.ts';
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
  /** Like openRead, but on the replica if there is one that has all changes. */
  openReplicaRead(organizationId: string): Promise<OpenTransaction>;
  /**
   * The reason why Postgres cannot be used; undefined if both roles can connect and are correct.
   */
  fault(): Promise<string | undefined>;
  /** The connections of each pool now. */
  poolStates(): readonly PoolState[];
  /** The sockets of all connections to Postgres, including those of pg-boss. */
  readonly sockets: PostgresSockets;
  close(): Promise<void>;
};

export type PoolState = {
  readonly role: PoolName;
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  /** Transactions that wait for a connection. */
  readonly waiting: number;
};

type Entities = NonNullable<Options['entities']>;

type DatabaseOptions = {
  readonly urls: {
    readonly app: string;
    readonly system: string;
    /** Of a streaming replica, for the application role. */
    readonly read?: string | undefined;
  };
  readonly poolMax: number;
  readonly entities: Entities;
  readonly log: Pick<Logger, 'warn'>;
  /** For metrics. */
  readonly measure?: (role: PoolName) => Measure;
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
  const open = async (name: PoolName, address: string, max: number) => {
    const { url, role } = databaseLogin(address);
    const settings = transactionSettings(role);
    const pool = createPool({ url, name, settings, max, sockets, log });
    const transactions = { pool, settings, measure: measure(name) };
    return { ...transactions, name, orm: await createOrm(dialectOf(transactions), entities) };
  };
  const app = await open('service_app', urls.app, poolMax);
  const systemMax = Math.min(poolMax, SYSTEM_POOL_MAX);
  const system = await open('service_system', urls.system, systemMax);
  const read = urls.read && (await open('service_app_replica', urls.read, poolMax));
  const all = [app, system, ...(read ? [read] : [])];
  const openRead = (organizationId: string) => openReadOn(app, organizationId);

  return {
    asTenant: (organizationId, work) => commitAfter(begin(app, 'read write', organizationId), work),
    asSystem: work => commitAfter(begin(system, 'read write', undefined), work),
    openRead,
    openReplicaRead: read ? replicaReads(app, read, openRead, log) : openRead,
    async fault() {
      // Without the replica, reads go to the primary.
      const faults = await Promise.all([app, system].map(faultOf));
      return faults.find(fault => fault !== undefined);
    },
    poolStates: () => all.map(stateOf),
    sockets,
    async close() {
      await Promise.all(all.map(closeOpened));
    },
  };
}

type Transactions = {
  readonly pool: pg.Pool;
  /** The statements that begin a transaction. */
  readonly settings: string;
  readonly measure: Measure;
};

type Opened = Transactions & { readonly name: PoolName; readonly orm: MikroORM };

/** The ORM ends the pool only if it has used it itself, and an open pool keeps the process running. */
async function closeOpened({ orm, pool }: Opened): Promise<void> {
  await orm.close();
  if (!pool.ending) await pool.end();
}

async function openReadOn(opened: Opened, organizationId: string): Promise<OpenTransaction> {
  const em = await begin(opened, 'read only', organizationId);
  return { em, close: () => em.rollback() };
}

function replicaReads(
  app: Opened,
  read: Opened,
  openRead: Database['openRead'],
  log: Pick<Logger, 'warn'>,
): Database['openReplicaRead'] {
  const pools = { primary: app.pool, replica: read.pool };
  const replica = createReadReplica({ ...pools, log, nowMs: () => performance.now() });
  return async organizationId => {
    if (!(await replica.isCurrent())) return openRead(organizationId);
    try {
      return await openReadOn(read, organizationId);
    } catch (error) {
      replica.rest((error as Error).message);
      return openRead(organizationId);
    }
  };
}

function stateOf({ name, pool }: Opened): PoolState {
  const { totalCount, idleCount, waitingCount, options } = pool;
  return {
    role: name,
    max: options.max ?? 0,
    open: totalCount,
    idle: idleCount,
    waiting: waitingCount,
  };
}

function createOrm(dialect: PostgresDialect, entities: Entities): Promise<MikroORM> {
  return MikroORM.init({
    entities,
    // Required by the ORM, but unused: the pool has the address.
    dbName: 'service',
    // Otherwise, where no database has that name, the ORM closes the pool in order to create one.
    ensureDatabase: false,
    driverOptions: dialect,
    metadataCache: { enabled: false },
  });
}

/**
 * The organization is set by the message that begins the transaction, and only until its end. The dialect
 * that sends the message is created here for this transaction, so no other one can begin with it.
 */
async function begin(
  { orm, ...transactions }: Opened,
  accessMode: 'read only' | 'read write',
  organizationId: string | undefined,
): Promise<EntityManager> {
  const own =
    organizationId === undefined ? transactions : ofOrganization(transactions, organizationId);
  const transaction = await new Kysely({ dialect: dialectOf(own) })
    .startTransaction()
    .setAccessMode(accessMode)
    // The reads of one request share a snapshot; writers wait for each other's row locks instead.
    .setIsolationLevel(accessMode === 'read only' ? 'repeatable read' : 'read committed')
    .execute();
  const em = orm.em.fork();
  em.setTransactionContext(transaction);
  return em;
}

/** Quoted, because a message of several statements has no parameters. */
function ofOrganization(transactions: Transactions, organizationId: string): Transactions {
  const setting = `SET LOCAL app.organization_id = ${pg.escapeLiteral(organizationId)}`;
  return { ...transactions, settings: `${transactions.settings}; ${setting}` };
}

function dialectOf({ pool, settings, measure }: Transactions): PostgresDialect {
  return new Dialect({ pool: transactionPool(pool, settings, measure) });
}

class Dialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return COMPILER;
  }
}

/** Stateless between statements, and takes long to create. */
const COMPILER = new PostgresQueryCompiler();

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

async function faultOf({ name, orm }: Opened): Promise<string | undefined> {
  try {
    await orm.em.getConnection().execute('SELECT 1');
    return undefined;
  } catch (error) {
    return `Postgres as ${name}: ${(error as Error).message}`;
  }
}
