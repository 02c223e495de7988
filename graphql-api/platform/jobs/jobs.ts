// The jobs of a process, from its start to its end: waits for the queue, works through it, and looks
// each second for runs that fell due and jobs that were asked for.

import type { PgBoss } from 'pg-boss';
import type { AppDeps } from '../context.ts';
import type { Job } from './job.ts';
import { openJobQueue } from './job-queue.ts';
import { latestDueMs } from './latest-due.ts';
import { queueDueRun } from './queue-due-run.ts';
import { repeat } from './repeat.ts';
import { queueRequests } from './request-job.ts';
import { runJob } from './run-job.ts';

export type Jobs = {
  /** Begins nothing more, leaves what runs a while, then aborts it: another process tries again. */
  stop(): Promise<void>;
};

const LOOK_INTERVAL_MS = 1_000;
const RETRY_MS_MAX = 15_000;
/** A third of what the process has to stop. */
const STOP_TIMEOUT_MS = 9_000;

export function startJobs(deps: AppDeps, jobs: readonly Job[]): Jobs {
  const { log } = deps;
  requireDistinctNames(jobs);
  const stopping = new AbortController();
  const plan = createPlan(deps, jobs);
  let boss: PgBoss | undefined;
  const look = async () => {
    boss ??= await openJobQueue(deps, jobs, (job, run) => runJob(deps, job, run));
    await plan(boss);
    await queueRequests(deps, boss, jobs);
    return 'wait' as const;
  };
  const looking = repeat(look, {
    intervalMs: LOOK_INTERVAL_MS,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      log.warn({ reason: (error as Error).message, failures }, 'jobs wait');
    },
  });
  return {
    async stop() {
      stopping.abort();
      await looking;
      await boss?.stop({ timeout: STOP_TIMEOUT_MS });
    },
  };
}

/** Looks which runs have fallen due by the clock, and queues them. */
function createPlan(deps: AppDeps, jobs: readonly Job[]): (boss: PgBoss) => Promise<void> {
  const dealtWith = new Map<string, number>();
  return async boss => {
    for (const { name, schedule } of jobs) {
      const dueAtMs = schedule && latestDueMs(schedule, deps.clock.nowMs());
      if (!dueAtMs || dealtWith.get(name) === dueAtMs) continue;
      const run = await queueDueRun(deps, boss, name, dueAtMs);
      if (run !== 'under way') dealtWith.set(name, dueAtMs);
    }
  };
}

function requireDistinctNames(jobs: readonly Job[]): void {
  const names = new Set(jobs.map(job => job.name));
  if (names.size < jobs.length) throw new Error('two jobs have the same name');
}
