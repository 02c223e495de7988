// Runs the jobs of a process until it stops: waits for the queue to be available, processes it, and
// checks each second for due schedules, requested jobs and jobs to start.

import type { JobWithMetadata } from 'pg-boss';
import { type AppDeps, createContext } from '../context.ts';
import { withRequestId } from '../observe/request-id.ts';
import type { Job } from './job.ts';
import { type JobQueue, openJobQueue } from './job-queue.ts';
import { repeat } from './repeat.ts';
import { originOf, queueRequests } from './request-job.ts';
import { createSchedule } from './schedule.ts';

type Jobs = {
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
  let queue: JobQueue | undefined;
  const check = async () => {
    queue ??= await openJobQueue(deps, jobs, (job, run) => {
      const { data, requestId = `job-${run.id}` } = originOf(run.data);
      return withRequestId(requestId, () => runJob(deps, job, { ...run, data: data as object }));
    });
    await queueDue(queue.boss);
    await queueRequests(deps, queue.boss, jobs);
    await queue.fetchDue();
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
      await queue?.boss.stop({ timeout: STOP_TIMEOUT_MS });
    },
  };
}

function requireDistinctNames(jobs: readonly Job[]): void {
  const names = new Set(jobs.map(job => job.name));
  if (names.size < jobs.length) throw new Error('two jobs have the same name');
}

/** Runs one attempt with its own Context, and records it in the log and the metrics. Throws what the
 * job throws, so that the queue retries. */
async function runJob(
  deps: AppDeps,
  job: Job,
  { id, data, signal, retryCount }: JobWithMetadata,
): Promise<void> {
  const context = createContext(deps, `job-${id}`, undefined);
  const startedAtMs = performance.now();
  let failure: unknown;
  try {
    await job.run(context, data, signal);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await context.finish();
    const seconds = (performance.now() - startedAtMs) / 1000;
    const outcome = outcomeOf(failure, signal, retryCount >= job.retry.limit);
    deps.metrics.jobRuns.inc({ job: job.name, outcome });
    deps.metrics.jobSeconds.observe({ job: job.name }, seconds);
    const facts = { job: job.name, jobId: id, attempt: retryCount + 1, outcome, seconds };
    if (failure === undefined) deps.log.info({ ...facts, ...context.notes }, 'job completed');
    else deps.log.error({ ...facts, ...context.notes, err: failure }, 'job failed');
  }
}

type Outcome = 'completed' | 'retried' | 'dead' | 'aborted';

function outcomeOf(failure: unknown, signal: AbortSignal, isLastAttempt: boolean): Outcome {
  if (failure === undefined) return 'completed';
  if (signal.aborted) return 'aborted';
  return isLastAttempt ? 'dead' : 'retried';
}
