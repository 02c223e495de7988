import type { JobWithMetadata } from 'pg-boss';
import { type AppDeps, createContext } from '../context.ts';
import type { Job } from './job.ts';

/** Runs one attempt with its own Context, and records it in the log and the metrics. Throws what the
 * job throws, so that the queue retries. */
export async function runJob(
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
    if (failure === undefined) deps.log.info({ ...facts, ...context.notes }, 'job');
    else deps.log.error({ ...facts, ...context.notes, err: failure }, 'job');
  }
}

type Outcome = 'completed' | 'retried' | 'dead' | 'aborted';

function outcomeOf(failure: unknown, signal: AbortSignal, isLastAttempt: boolean): Outcome {
  if (failure === undefined) return 'completed';
  if (signal.aborted) return 'aborted';
  return isLastAttempt ? 'dead' : 'retried';
}
