// Configures pg-boss: one queue per job, one run at a time across all processes, retries with backoff,
// then the dead letters. The migrations create its tables; this code never changes them.

import { type JobWithMetadata, PgBoss } from 'pg-boss';
import { databaseLogin } from '../../../schema/environment/database-urls.ts';
import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import { createReportOutage } from '../../../schema/telemetry/report-outage.ts';
import type { AppDeps } from '../context.ts';
import { rowsOf, sql } from '../database/kysely.ts';
import type { Job } from './job.ts';

/** The queue of jobs whose last retry failed. */
export const DEAD_LETTERS = 'dead-letters';

/** Queue maintenance uses one connection, and each fetch briefly uses another. */
const CONNECTIONS_MAX = 2;
/** Workers fetch by themselves only this often: one query finds the queues with jobs for all of them. */
const FETCH_INTERVAL_SECONDS = 15;
/** The job of a process that died is released after this time and the next maintenance. */
const HEARTBEAT_SECONDS = 15;
const MAINTENANCE_INTERVAL_SECONDS = 10;
/** How long a dead letter is kept for an operator. */
const DEAD_LETTER_SECONDS = 60 * 24 * 60 * 60;

type RunJob = (job: Job, run: JobWithMetadata) => Promise<void>;

export type JobQueue = {
  readonly boss: PgBoss;
  /** Starts the jobs that are due. */
  fetchDue(): Promise<void>;
};

/** Throws if Postgres is not available or lacks the tables of pg-boss. Nothing is left open then. */
export async function openJobQueue(
  { config, database, log }: Pick<AppDeps, 'config' | 'database' | 'log'>,
  jobs: readonly Job[],
  run: RunJob,
): Promise<JobQueue> {
  // pg-boss passes this option on to pg, but its types lack it.
  const throughOurSockets: object = { stream: database.sockets.open };
  const boss = new PgBoss({
    ...throughOurSockets,
    // Without a switch of the role: the login is service_system, or the owner of the queue's tables.
    connectionString: databaseLogin(config.databaseUrls.system).url,
    application_name: 'api-jobs',
    schema: JOB_QUEUE_SCHEMA,
    max: CONNECTIONS_MAX,
    migrate: false,
    createSchema: false,
    // Jobs are scheduled by jobs.ts, with an injected clock and one run for missed schedules.
    schedule: false,
    // Only the owner of an index can rebuild it.
    reindex: false,
    superviseIntervalSeconds: MAINTENANCE_INTERVAL_SECONDS,
    monitorIntervalSeconds: MAINTENANCE_INTERVAL_SECONDS,
  });
  // Without Postgres, each queue has several errors a second.
  boss.on(
    'error',
    createReportOutage(facts => log.warn(facts, 'job queue error')),
  );
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'job queue warning'));
  try {
    await boss.start();
    await boss.createQueue(DEAD_LETTERS, { retentionSeconds: DEAD_LETTER_SECONDS });
    const workers = new Map<string, string>();
    for (const job of jobs) workers.set(job.name, await openQueue(boss, job, run));
    return { boss, fetchDue: () => fetchDue(database, boss, workers) };
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

/** Returns the ID of its worker. */
async function openQueue(boss: PgBoss, job: Job, run: RunJob): Promise<string> {
  const { name, retry, timeoutSeconds } = job;
  const options = {
    retryLimit: retry.limit,
    retryDelay: retry.delaySeconds,
    // Backoff multiplies the delay, so it needs one.
    retryBackoff: retry.delaySeconds > 0,
    ...(retry.delaySeconds > 0 && { retryDelayMax: retry.delaySecondsMax }),
    expireInSeconds: timeoutSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deadLetter: DEAD_LETTERS,
  };
  // Only one run of the job is active at a time across all processes.
  await boss.createQueue(name, { ...options, policy: 'singleton' });
  // The queue may have the options of an earlier release.
  await boss.updateQueue(name, options);
  const fetching = {
    pollingIntervalSeconds: FETCH_INTERVAL_SECONDS,
    includeMetadata: true,
  } as const;
  return boss.work(name, fetching, async ([fetched]: JobWithMetadata[]) => {
    if (fetched !== undefined) await run(job, fetched);
  });
}

/** One query for all queues: a query per queue and second was most of the load of an idle process. */
async function fetchDue(
  database: AppDeps['database'],
  boss: PgBoss,
  workers: ReadonlyMap<string, string>,
): Promise<void> {
  // One lookup per queue, however many jobs wait in it.
  const due = await database.asSystem(em =>
    rowsOf(
      em,
      sql<{ name: string }>`
        SELECT queue.name FROM unnest(${[...workers.keys()]}::text[]) AS queue(name)
        WHERE EXISTS (
          SELECT FROM ${sql.table(`${JOB_QUEUE_SCHEMA}.job`)} job
          WHERE job.name = queue.name AND job.state < 'active' AND job.start_after < now())`,
    ),
  );
  for (const { name } of due) boss.notifyWorker(workers.get(name)!);
}
