// Defines jobs. A job can run more than once (a process can die after the work but before it is
// recorded), so its work must be idempotent. Two runs of a job never overlap, across all processes.

import { z } from 'zod';
import type { Context } from '../context.ts';

type JobDefinition<Data> = {
  /** For example `forget-old-records`. Also the name of its queue, so it must not change. */
  readonly name: string;
  /**
   * A cron expression with five fields, in UTC. Runs that were missed, because no process was running
   * or the previous run had not ended, are made up for by one run. Its data is `scheduledData`.
   */
  readonly schedule?: string;
  readonly retry?: Partial<RetryPolicy>;
  readonly timeoutSeconds?: number;
  readonly data: z.ZodType<Data>;
  /**
   * The context has no viewer: the job uses `context.deps.database`, as a tenant named in its data or
   * as the system. The signal is aborted when the process stops, at the timeout, or after another
   * process has taken over.
   */
  readonly run: (context: Context, data: Data, signal: AbortSignal) => Promise<void>;
};

/** After the last retry, a job is moved to the dead letters. */
type RetryPolicy = {
  readonly limit: number;
  /** Doubled with each retry, with jitter. */
  readonly delaySeconds: number;
  readonly delaySecondsMax: number;
};

export type Job<Data = unknown> = {
  readonly name: string;
  readonly schedule: string | undefined;
  readonly retry: RetryPolicy;
  readonly timeoutSeconds: number;
  readonly data: z.ZodType<Data>;
  /** Throws if the data is invalid. */
  readonly run: (context: Context, data: unknown, signal: AbortSignal) => Promise<void>;
};

/** About 15 minutes in total, longer than a deployment or a failover takes. */
const RETRY: RetryPolicy = { limit: 6, delaySeconds: 10, delaySecondsMax: 600 };
const TIMEOUT_SECONDS = 15 * 60;

/** The data of a scheduled run: the time that it is for, which can be long ago. */
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
