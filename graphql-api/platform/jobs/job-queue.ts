// pg-boss as the jobs use it: a queue per job, one run at a time in all processes, retries with
// backoff, then the dead letters. Its tables come with the migrations; nothing here changes them.

import { type JobWithMetadata, PgBoss } from 'pg-boss';
import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import type { AppDeps } from '../context.ts';
import type { Job } from './job.ts';

/** Where jobs go whose last retry failed. */
export const DEAD_LETTERS = 'dead-letters';

/** Looking after the queue takes one, and each fetch another for a moment. */
const CONNECTIONS_MAX = 2;
/** A job that is asked for begins about this soon. */
const FETCH_INTERVAL_SECONDS = 1;
/** A process that died lets go of its job after this, and the next look at what is stale. */
const HEARTBEAT_SECONDS = 15;
const LOOK_INTERVAL_SECONDS = 10;
/** Time for an operator to see to a dead letter. */
const DEAD_LETTER_SECONDS = 60 * 24 * 60 * 60;

export type RunJob = (job: Job, run: JobWithMetadata) => Promise<void>;

/** Throws while Postgres is away or lacks the queue's tables; then nothing is left open. */
export async function openJobQueue(
  { config, database, log }: Pick<AppDeps, 'config' | 'database' | 'log'>,
  jobs: readonly Job[],
  run: RunJob,
): Promise<PgBoss> {
  // Not in the types of pg-boss, which passes it on to pg as it is.
  const throughOurSockets: object = { stream: database.sockets.open };
  const boss = new PgBoss({
    ...throughOurSockets,
    connectionString: config.databaseUrls.system,
    application_name: 'api-jobs',
    schema: JOB_QUEUE_SCHEMA,
    max: CONNECTIONS_MAX,
    migrate: false,
    createSchema: false,
    // The plan is ours: its clock is injected, and what was missed is made up for.
    schedule: false,
    // Rebuilding an index takes its owner.
    reindex: false,
    superviseIntervalSeconds: LOOK_INTERVAL_SECONDS,
    monitorIntervalSeconds: LOOK_INTERVAL_SECONDS,
  });
  boss.on('error', error => log.warn({ reason: error.message }, 'the job queue has trouble'));
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'the job queue warns'));
  try {
    await boss.start();
    await boss.createQueue(DEAD_LETTERS, { retentionSeconds: DEAD_LETTER_SECONDS });
    for (const job of jobs) await openQueue(boss, job, run);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

async function openQueue(boss: PgBoss, job: Job, run: RunJob): Promise<void> {
  const { name, retry, timeoutSeconds } = job;
  const options = {
    retryLimit: retry.limit,
    retryDelay: retry.delaySeconds,
    // Without a delay there is nothing to double.
    retryBackoff: retry.delaySeconds > 0,
    ...(retry.delaySeconds > 0 && { retryDelayMax: retry.delaySecondsMax }),
    expireInSeconds: timeoutSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deadLetter: DEAD_LETTERS,
  };
  // One active run in all processes, however many wait.
  await boss.createQueue(name, { ...options, policy: 'singleton' });
  // Of an earlier release.
  await boss.updateQueue(name, options);
  const fetching = {
    pollingIntervalSeconds: FETCH_INTERVAL_SECONDS,
    includeMetadata: true,
  } as const;
  await boss.work(name, fetching, async ([fetched]: JobWithMetadata[]) => {
    if (fetched !== undefined) await run(job, fetched);
  });
}
