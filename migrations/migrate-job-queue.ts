import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { JOB_QUEUE_SCHEMA } from '../schema/environment/job-queue.ts';

/** Indexes of a new version of pg-boss are built while the queue is in use. */
const INDEX_BUILDS_TIMEOUT_MS = 5 * 60_000;
const ASK_AGAIN_MS = 100;

/**
 * Migrates the tables of pg-boss to the installed version, as the owner. The programs use them as
 * service_system and do not change their definitions. The caller holds the lock.
 */
export async function migrateJobQueue(
  client: pg.Client,
  databaseUrl: string,
  log: (line: string) => void,
): Promise<void> {
  const before = await versionOf(client);
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: JOB_QUEUE_SCHEMA,
    max: 2,
    migrate: true,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: 10,
  });
  // Relevant errors are thrown by the calls; without a listener, other errors would end the
  // process.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    await untilBuilt(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
  await client.query(`
    GRANT USAGE ON SCHEMA ${JOB_QUEUE_SCHEMA} TO service_system;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${JOB_QUEUE_SCHEMA} TO service_system;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${JOB_QUEUE_SCHEMA} TO service_system`);
  const after = await versionOf(client);
  if (after !== before) log(`Postgres: the job queue is at version ${after}`);
}

async function versionOf(client: pg.Client): Promise<number | undefined> {
  const table = `${JOB_QUEUE_SCHEMA}.version`;
  const [found] = (await client.query('SELECT to_regclass($1) AS name', [table])).rows;
  if (found?.name === null) return undefined;
  return (await client.query<{ version: number }>(`SELECT version FROM ${table}`)).rows[0]?.version;
}

async function untilBuilt(boss: PgBoss): Promise<void> {
  const deadline = performance.now() + INDEX_BUILDS_TIMEOUT_MS;
  for (;;) {
    const builds = await boss.getBamStatus();
    const failed = builds.find(({ status }) => status === 'failed');
    if (failed !== undefined)
      throw new Error('Postgres: an index of the job queue could not be built');
    if (builds.every(({ status }) => status === 'completed')) return;
    if (performance.now() > deadline)
      throw new Error(
        'Postgres: the indexes of the job queue are still being built. Run the migration again later.',
      );
    await wait(ASK_AGAIN_MS);
  }
}
