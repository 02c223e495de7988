// Runs the jobs of a process until it stops: waits for the queue to be available, processes it, and
// checks each second for due schedules and requested jobs.

import type { PgBoss } from 'pg-boss';
import type { AppDeps } from '../context.ts';
import type { Job } from './job.ts';
import { openJobQueue } from './job-queue.ts';
import { repeat } from './repeat.ts';
import { queueRequests } from './request-job.ts';
import { runJob } from './run-job.ts';
import { createSchedule } from './schedule.ts';

export type Jobs = {
  /** Starts no more jobs and lets running ones finish; after a timeout, another process retries them. */
  stop(): Promise<void>;
};

const CHECK_INTERVAL_MS = 1_000;
const RETRY_MS_MAX = 15_000;
/** A third of the time that the process has to stop. */
const STOP_TIMEOUT_MS = 9_000;

export function startJobs(deps: AppDeps, jobs: readonly Job[]): Jobs {
  const { log } = deps;
  requireDistinctNames(jobs);
  const stopping = new AbortController();
  const queueDue = createSchedule(deps, jobs);
  let boss: PgBoss | undefined;
  const check = async () => {
    boss ??= await openJobQueue(deps, jobs, (job, run) => runJob(deps, job, run));
    await queueDue(boss);
    await queueRequests(deps, boss, jobs);
    return 'wait' as const;
  };
  const checking = repeat(check, {
    intervalMs: CHECK_INTERVAL_MS,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      log.warn({ reason: (error as Error).message, failures }, 'job queue not available, retrying');
    },
  });
  return {
    async stop() {
      stopping.abort();
      await checking;
      await boss?.stop({ timeout: STOP_TIMEOUT_MS });
    },
  };
}

function requireDistinctNames(jobs: readonly Job[]): void {
  const names = new Set(jobs.map(job => job.name));
  if (names.size < jobs.length) throw new Error('two jobs have the same name');
}
