import type { PgBoss } from 'pg-boss';
import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import type { AppDeps } from '../context.ts';
import { numberedSql } from '../database/numbered-sql.ts';

/** `under way`: the previous run has not ended, so this one waits for it. */
export type DueRun = 'queued' | 'dealt with' | 'under way';

/**
 * Queues a due run once across all processes. The row in `job_runs` and the job are written in one
 * transaction.
 */
export function queueDueRun(
  { database }: Pick<AppDeps, 'database'>,
  boss: PgBoss,
  job: string,
  dueAtMs: number,
): Promise<DueRun> {
  const dueAt = new Date(dueAtMs).toISOString();
  return database.asSystem(async em => {
    const db = numberedSql(em);
    const claim = async (isBaseline: boolean) => {
      const { rows } = await db.executeSql(
        `INSERT INTO job_runs (job, due_at, is_baseline) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING job`,
        [job, dueAt, isBaseline],
      );
      return rows.length > 0;
    };
    const { rows } = await db.executeSql(
      `SELECT max(due_at) IS NULL AS "isNew", max(due_at) >= $2 AS "isKnown",
              EXISTS (SELECT FROM ${JOB_QUEUE_SCHEMA}.job
                      WHERE name = $1 AND state < 'completed') AS "isUnderWay"
       FROM job_runs WHERE job = $1`,
      [job, dueAt],
    );
    const { isNew, isKnown, isUnderWay } = rows[0] as Record<string, boolean | null>;
    if (isKnown) return 'dealt with';
    // A new job starts with the next due time.
    if (isNew) await claim(true);
    if (isNew) return 'dealt with';
    if (isUnderWay) return 'under way';
    if (!(await claim(false))) return 'dealt with';
    await boss.send(job, { dueAt }, { db });
    return 'queued';
  });
}
