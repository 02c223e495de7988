// Migrates both databases to the schema of this version. It can run at any time, and twice at the same time:
// the second run waits for the first one and then finds nothing to do.

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readVersion } from '../schema/environment/build-info.ts';
import { clickhouseUrls } from '../schema/environment/clickhouse-urls.ts';
import { databaseUrls } from '../schema/environment/database-urls.ts';
import { clickHouseHazards } from './clickhouse-hazards.ts';
import { migrateClickHouse, readClickHouse } from './migrate-clickhouse.ts';
import { migrateJobQueue } from './migrate-job-queue.ts';
import { appliedToPostgres, migratePostgres } from './migrate-postgres.ts';
import { laterInWords, type Plan, planInWords, planOf } from './plan.ts';
import { postgresHazards } from './postgres-hazards.ts';
import { recordRelease, refuseIfTooOld } from './record-release.ts';
import { readSqlFiles, type SqlFile } from './sql-files.ts';
import { postgresTableSizes } from './table-sizes.ts';

export type MigrateOptions = {
  /** The owner's. */
  databaseUrl: string;
  /** By the slug of the cell. */
  clickhouseUrls: Record<string, string>;
  clickhouseCluster?: string;
  log: (line: string) => void;
  /** Lists what would be applied, and changes nothing. */
  isDryRun?: boolean;
  /**
   * Refuses databases that a later version has migrated. Otherwise this is only logged: the
   * programs of this version run on such databases, as they do during an upgrade.
   */
  isLaterRefused?: boolean;
  /** The release that is recorded for the programs. Defaults to the version in package.json. */
  release?: string;
  /** The directory with the folders postgres and clickhouse. Defaults to this one. */
  directory?: string;
  /** If aborted, the migration no longer waits for the lock or a statement. */
  signal?: AbortSignal;
};

/** Any number that no other code locks in this database. */
export const LOCK = 7_113_042_519;

export async function migrate(options: MigrateOptions): Promise<void> {
  const { signal, release = readVersion() } = options;
  signal?.throwIfAborted();
  const directory = options.directory ?? import.meta.dirname;
  const postgresFiles = readSqlFiles(join(directory, 'postgres'));
  const clickhouseFiles = readSqlFiles(join(directory, 'clickhouse'));
  const client = new pg.Client({ connectionString: options.databaseUrl, keepAlive: true });
  // The next query reports a connection that was lost between two queries. Without a listener, the error would
  // end this process.
  client.on('error', () => undefined);
  // Ends the wait on this side. The server ends the session, and with it its place in the queue.
  const hangUp = () => void client.end();
  signal?.addEventListener('abort', hangUp, { once: true });
  await client.connect().catch((error: unknown) => {
    throw new Error(`Postgres cannot be reached: ${reason(error)}`, { cause: error });
  });
  try {
    await refusePooler(client);
    await takeLock(client, options.log, signal);
    const plans = await plansOf(client, options, { postgresFiles, clickhouseFiles });
    const later = laterInWords(plans);
    if (later !== undefined && options.isLaterRefused) throw new Error(`${later} ${LATER_ADVICE}`);
    if (later !== undefined) options.log(later);
    await refuseIfTooOld(client, release);
    if (options.isDryRun) {
      for (const line of plans.flatMap(planInWords)) options.log(line);
      return;
    }
    await migratePostgres(client, postgresFiles, { log: options.log, signal });
    signal?.throwIfAborted();
    await migrateJobQueue(client, options.databaseUrl, options.log);
    for (const [cell, url] of Object.entries(options.clickhouseUrls)) {
      const target = { cell, url, cluster: options.clickhouseCluster };
      await migrateClickHouse(target, clickhouseFiles, options.log, signal);
    }
    await recordRelease(client, release);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', hangUp);
    // Ends the session, and with it the lock.
    await client.end();
  }
}

const LATER_ADVICE =
  'Nothing was changed. Run `npm run migrate` from that version. To roll back to this version, start it without migrating.';

type Files = Readonly<Record<'postgresFiles' | 'clickhouseFiles', readonly SqlFile[]>>;

/** Of every database, before any is changed. */
async function plansOf(
  client: pg.Client,
  { clickhouseUrls: urls, clickhouseCluster: cluster, signal }: MigrateOptions,
  { postgresFiles, clickhouseFiles }: Files,
): Promise<Plan[]> {
  const plans = [
    planOf({
      where: 'Postgres',
      files: postgresFiles,
      applied: await appliedToPostgres(client),
      sizes: await postgresTableSizes(client),
      findHazards: postgresHazards,
    }),
  ];
  for (const [cell, url] of Object.entries(urls)) {
    const { applied, sizes } = await readClickHouse({ cell, url, cluster }, signal);
    plans.push(
      planOf({
        where: `ClickHouse of cell ${cell}`,
        files: clickhouseFiles,
        applied,
        sizes,
        findHazards: (pending, _, existing) => clickHouseHazards(pending, existing, cluster),
      }),
    );
  }
  return plans;
}

/**
 * The lock and the timeouts of migrations belong to a session, which a pooler may give to another client.
 * A pooler does not pass on the process ID that Postgres sends to a new client.
 */
async function refusePooler(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const { processID } = client as pg.Client & { readonly processID?: number | null };
  if (rows[0]?.pid !== processID)
    throw new Error(
      'DATABASE_URL points to a connection pooler, but migrations need a session of their own. Set it to the address of Postgres itself.',
    );
}

/**
 * One lock for both databases, because ClickHouse has no locks. The lock is requested repeatedly instead of
 * waiting for it: a waiting query would hold a snapshot, and CREATE INDEX CONCURRENTLY of the other migration
 * waits for all snapshots.
 */
async function takeLock(
  client: pg.Client,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1::bigint) AS taken',
      [LOCK],
    );
    if (rows[0]?.taken) return;
    if (attempt === 1) log('Waiting for another migration to finish');
    await wait(ASK_AGAIN_MS, undefined, signal && { signal });
  }
}

/** For the lock. */
const ASK_AGAIN_MS = 200;

function reason(error: unknown): string {
  // The errors of several addresses of a host are combined in one error without a message.
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return error instanceof Error ? error.message : String(error);
}

const HELP = `Usage: npm run migrate [-- --dry-run]

Applies pending migrations to the databases and prints them. Fails without changing anything if a
later version has migrated the databases.

  --dry-run              lists pending migrations without applying them, and warns about statements
                         that block requests to a table, or copy or rewrite stored rows

  DATABASE_URL           Postgres, as the owner of the tables
  CLICKHOUSE_URL         ClickHouse of the cell "default"
  CLICKHOUSE_URL_<SLUG>  ClickHouse of another cell: CLICKHOUSE_URL_EU_WEST for "eu-west"
  CLICKHOUSE_CLUSTER     the name of the ClickHouse cluster. If it is set, tables are replicated`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, 'dry-run': { type: 'boolean' } },
  });
  const print = (line: string) => process.stdout.write(`${line}\n`);
  if (values.help) {
    print(HELP);
    return;
  }
  const urls = clickhouseUrls(process.env);
  if (Object.keys(urls).length === 0) throw new Error('CLICKHOUSE_URL is not set.');
  const cluster = process.env.CLICKHOUSE_CLUSTER?.trim();
  await migrate({
    databaseUrl: databaseUrls(process.env).owner,
    clickhouseUrls: urls,
    ...(cluster ? { clickhouseCluster: cluster } : {}),
    log: print,
    isDryRun: values['dry-run'] ?? false,
    isLaterRefused: true,
  });
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    process.stderr.write(`migrate: ${reason(error)}\n`);
    process.exitCode = 1;
  });
}
