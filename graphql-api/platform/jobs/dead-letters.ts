import type { EntityManager } from '@mikro-orm/postgresql';
import { PgBoss } from 'pg-boss';
import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import { numberedSql } from '../database/numbered-sql.ts';
import { DEAD_LETTERS } from './job-queue.ts';

/** A job that failed its last attempt. */
export type DeadLetter = {
  readonly id: string;
  readonly job: string;
  readonly data: unknown;
  /** The error of the last attempt. */
  readonly error: string;
  readonly attempts: number;
  readonly askedAt: Date;
  readonly diedAt: Date;
};

type Row = {
  readonly id: string;
  readonly job: string;
  readonly data: unknown;
  readonly output: unknown;
  readonly retries: number;
  readonly askedAt: string;
  readonly diedAt: string;
};

/** The newest first. Needs the system role, because jobs do not belong to a tenant. */
export async function readDeadLetters(em: EntityManager, first: number): Promise<DeadLetter[]> {
  const rows = await em.execute<Row[]>(
    `SELECT id, source_name AS job, data, source_output AS output, source_retry_count AS retries,
            source_created_on AS "askedAt", created_on AS "diedAt"
     FROM ${JOB_QUEUE_SCHEMA}.job WHERE name = ? AND state = 'created'
     ORDER BY created_on DESC, id DESC LIMIT ?`,
    [DEAD_LETTERS, first],
  );
  return rows.map(({ id, job, data, output, retries, askedAt, diedAt }) => ({
    id,
    job,
    data,
    error: messageOf(output),
    attempts: retries + 1,
    askedAt: new Date(askedAt),
    diedAt: new Date(diedAt),
  }));
}

export type LockedDeadLetter = { readonly id: string; readonly job: string };

/** Locks the dead letters with these IDs, or of this job, until the end of the transaction. Oldest first. */
export async function lockDeadLetters(
  em: EntityManager,
  { ids, job }: { readonly ids?: readonly string[]; readonly job?: string },
  most: number,
): Promise<LockedDeadLetter[]> {
  const { rows } = await numberedSql(em).executeSql(
    `SELECT id, source_name AS job FROM ${JOB_QUEUE_SCHEMA}.job
     WHERE name = $1 AND state = 'created'
       AND ($2::uuid[] IS NULL OR id = ANY($2)) AND ($3::text IS NULL OR source_name = $3)
     ORDER BY created_on, id LIMIT $4 FOR UPDATE`,
    [DEAD_LETTERS, ids ?? null, job ?? null, most],
  );
  return rows as LockedDeadLetter[];
}

/** Moves dead letters back to their queues with a full set of retries, in the transaction of `em`.
 * Returns how many were moved; those whose queue no longer exists are not. */
export async function redriveDeadLetters(
  em: EntityManager,
  ids: readonly string[],
): Promise<number> {
  const db = numberedSql(em);
  // Only for this call. The instance that runs the jobs may be in another process.
  const boss = new PgBoss({
    db,
    schema: JOB_QUEUE_SCHEMA,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
  });
  // An error event without a listener would end the process. The calls throw their own errors.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    return await boss.redrive(DEAD_LETTERS, { ids: [...ids], limit: ids.length });
  } finally {
    await boss.stop({ graceful: false, close: false });
  }
}

function messageOf(output: unknown): string {
  const { message } = (output ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : JSON.stringify(output ?? null);
}
