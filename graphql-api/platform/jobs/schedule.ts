// Queues the scheduled runs of jobs, each once across all processes.

import { CronExpressionParser } from 'cron-parser';
import type { PgBoss } from 'pg-boss';
import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import type { AppDeps } from '../context.ts';
import { kysely, rowsOf, sql } from '../database/kysely.ts';
import { numberedSql } from '../database/numbered-sql.ts';
import type { Job } from './job.ts';

/** Returns a function that queues the scheduled runs that are due. */
export function createSchedule(
  deps: Pick<AppDeps, 'clock' | 'database'>,
  jobs: readonly Job[],
): (boss: PgBoss) => Promise<void> {
  const doneUntil = new Map<string, number>();
  const periods = new Map<string, Period>();
  return async boss => {
    for (const { name, schedule } of jobs) {
      if (schedule === undefined) continue;
      const nowMs = deps.clock.nowMs();
      // Parsing a schedule takes longer than the rest of a check.
      const known = periods.get(name);
      const isPresent = known && known.fromMs <= nowMs && nowMs < known.untilMs;
      const period = isPresent ? known : periodAt(schedule, nowMs);
      periods.set(name, period);
      const { dueAtMs } = period;
      if (!dueAtMs || doneUntil.get(name) === dueAtMs) continue;
      if (await queueDueRun(deps, boss, name, dueAtMs)) doneUntil.set(name, dueAtMs);
    }
  };
}

type Period = {
  /** The latest time of the schedule; undefined if there is none. */
  readonly dueAtMs: number | undefined;
  readonly fromMs: number;
  /** The next time of the schedule, excluded. */
  readonly untilMs: number;
};

/** The period between two times of a cron schedule (in UTC) that contains now. */
function periodAt(schedule: string, nowMs: number): Period {
  // `prev` excludes `currentDate`, but the current millisecond counts.
  const options = { currentDate: nowMs + 1, tz: 'UTC' };
  const before = CronExpressionParser.parse(schedule, options);
  const dueAtMs = before.hasPrev() ? before.prev().getTime() : undefined;
  const after = CronExpressionParser.parse(schedule, { ...options, currentDate: nowMs });
  const untilMs = after.hasNext() ? after.next().getTime() : Number.POSITIVE_INFINITY;
  return { dueAtMs, fromMs: dueAtMs ?? nowMs, untilMs };
}

type Standing = { isNew: boolean; isDone: boolean | null; isUnderWay: boolean };

/**
 * Queues a due run unless another process has. The row in `job_runs` and the job are written in one
 * transaction. False if the previous run has not ended; this one then has to wait.
 */
function queueDueRun(
  { database }: Pick<AppDeps, 'database'>,
  boss: PgBoss,
  job: string,
  dueAtMs: number,
): Promise<boolean> {
  const dueAt = new Date(dueAtMs);
  return database.asSystem(async em => {
    const claim = async (isBaseline: boolean) => {
      const insert = kysely(em).insertInto('job_runs').values({ job, dueAt, isBaseline });
      const claimed = await insert.onConflict(on => on.doNothing()).executeTakeFirst();
      return claimed.numInsertedOrUpdatedRows === 1n;
    };
    const [standing] = await rowsOf(
      em,
      sql<Standing>`
        SELECT max(due_at) IS NULL AS is_new, max(due_at) >= ${dueAt} AS is_done,
               EXISTS (SELECT FROM ${sql.table(`${JOB_QUEUE_SCHEMA}.job`)}
                       WHERE name = ${job} AND state < 'completed') AS is_under_way
        FROM job_runs WHERE job = ${job}`,
    );
    const { isNew, isDone, isUnderWay } = standing!;
    // A new job starts with the next due time.
    if (isNew) await claim(true);
    if (isNew || isDone) return true;
    if (isUnderWay) return false;
    const data = { dueAt: dueAt.toISOString() };
    if (await claim(false)) await boss.send(job, data, { db: numberedSql(em) });
    return true;
  });
}
