import type { EntityManager } from '@mikro-orm/postgresql';
import { JOB_QUEUE_SCHEMA } from '../../schema/rules/job-queue.ts';
import { DEAD_LETTERS } from './job-queue.ts';

/** A job that was given up after its last retry. */
export type DeadLetter = {
  readonly id: string;
  readonly job: string;
  readonly data: unknown;
  /** Of the last attempt. */
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

/** The latest first. For platform admins: `em` is the system's, since jobs are nobody's own. */
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

function messageOf(output: unknown): string {
  const { message } = (output ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : JSON.stringify(output ?? null);
}
