// What a job is. It may run more than once (a process may die when all is done but said), so its work
// must bear that; no two run at the same time, in whatever processes.

import { z } from 'zod';
import type { Context } from '../context.ts';

export type JobDefinition<Data> = {
  /** Like `forget-old-records`; also the name of its queue, so it must not change. */
  readonly name: string;
  /**
   * Five fields of cron, in UTC. What fell due while nothing ran, or while the run before was still
   * under way, is made up for by one run. Its data is `scheduledData`.
   */
  readonly schedule?: string;
  readonly retry?: Partial<RetryPolicy>;
  readonly timeoutSeconds?: number;
  readonly data: z.ZodType<Data>;
  /**
   * The context has no viewer: what the job reads and writes goes through `context.deps.database`,
   * as the tenant its data names or, said outright, as the system. Aborted: the process stops, the
   * time is up, or another process has taken over.
   */
  readonly run: (context: Context, data: Data, signal: AbortSignal) => Promise<void>;
};

/** After the last retry the job goes to the dead letters, for platform admins to look at. */
export type RetryPolicy = {
  readonly limit: number;
  /** Doubles with each retry, with some jitter. */
  readonly delaySeconds: number;
  readonly delaySecondsMax: number;
};

export type Job<Data = unknown> = {
  readonly name: string;
  readonly schedule: string | undefined;
  readonly retry: RetryPolicy;
  readonly timeoutSeconds: number;
  readonly data: z.ZodType<Data>;
  /** Throws for data that is none of this job's. */
  readonly run: (context: Context, data: unknown, signal: AbortSignal) => Promise<void>;
};

/** About a quarter of an hour in all: longer than a deployment or a failover takes. */
const RETRY: RetryPolicy = { limit: 6, delaySeconds: 10, delaySecondsMax: 600 };
const TIMEOUT_SECONDS = 15 * 60;

/** Of runs by the plan: the time for which it ran, which may be long ago. */
export const scheduledData = z.object({ dueAt: z.iso.datetime() });

export function defineJob<Data>(definition: JobDefinition<Data>): Job<Data> {
  const { name, schedule, retry, timeoutSeconds, data, run } = definition;
  return {
    name,
    schedule,
    retry: { ...RETRY, ...retry },
    timeoutSeconds: timeoutSeconds ?? TIMEOUT_SECONDS,
    data,
    run: (context, sent, signal) => run(context, data.parse(sent), signal),
  };
}
