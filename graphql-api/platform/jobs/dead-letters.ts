// Dead letters: jobs that failed their last attempt. Jobs do not belong to a tenant, so they are read
// and retried by the system role, for platform admins.

import type { EntityManager } from '@mikro-orm/postgresql';
import { PgBoss } from 'pg-boss';
import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import type { Context } from '../context.ts';
import { readAcrossTenants } from '../database/across-tenants.ts';
import { kysely } from '../database/kysely.ts';
import { numberedSql } from '../database/numbered-sql.ts';
import { requirePageSize } from '../database/page.ts';
import { type DeadLetterRedrive, REDRIVEN_MAX } from '../operations.contract.ts';
import { reject } from '../rejected.ts';
import type { ActionScope } from '../run-action.ts';
import { DEAD_LETTERS } from './job-queue.ts';
import { originOf } from './request-job.ts';

export type DeadLetter = Awaited<ReturnType<typeof readDeadLetters>>[number];

/** The newest first, without pagination. */
export async function deadLetters(context: Context, first: number): Promise<readonly DeadLetter[]> {
  requirePageSize(first);
  return readAcrossTenants(context, em => readDeadLetters(em, first));
}

export async function readDeadLetters(em: EntityManager, first: number) {
  const rows = await waitingLetters(em)
    .select(['id', 'sourceName as job', 'data', 'sourceOutput', 'sourceRetryCount'])
    .select(['sourceCreatedOn as askedAt', 'createdOn as diedAt'])
    .orderBy('createdOn', 'desc')
    .orderBy('id', 'desc')
    .limit(first)
    .execute();
  return rows.map(({ sourceOutput, sourceRetryCount, ...letter }) => ({
    ...letter,
    data: originOf(letter.data).data,
    error: messageOf(sourceOutput),
    attempts: sourceRetryCount + 1,
  }));
}

type Redriven = { readonly redriven: number; readonly hasMore: boolean };

/** Retries dead letters. The organization of a job, if any, is in its data. */
export async function deadLetterRedrive(
  { em, audit }: ActionScope,
  { ids, job }: DeadLetterRedrive,
): Promise<Redriven> {
  const found = await lockLetters(em, { ids, job });
  const letters = found.slice(0, REDRIVEN_MAX);
  if (ids !== undefined && letters.length < ids.length)
    return reject('NOT_FOUND', {
      field: ['ids'],
      message: 'Some of these jobs do not exist or have already been retried. No job was retried.',
    });
  if (letters.length === 0) return { redriven: 0, hasMore: false };
  const moved = await redrive(
    em,
    letters.map(({ id }) => id),
  );
  if (moved < letters.length) return reject('JOB_UNKNOWN', { field: [ids ? 'ids' : 'job'] });
  for (const { id, job: name } of letters) {
    await audit({
      action: 'dead_letter.redrive',
      subjectId: id,
      after: { job: name },
      organizationId: null,
      workspaceId: null,
    });
  }
  return { redriven: moved, hasMore: found.length > letters.length };
}

/** Locks the dead letters with these IDs, or of this job, until the end of the transaction. Oldest
 * first. */
function lockLetters(em: EntityManager, { ids, job }: DeadLetterRedrive) {
  return waitingLetters(em)
    .select(['id', 'sourceName as job'])
    .$if(ids !== undefined, query => query.where('id', 'in', ids!))
    .$if(job !== undefined, query => query.where('sourceName', '=', job!))
    .orderBy('createdOn')
    .orderBy('id')
    .limit(REDRIVEN_MAX + 1)
    .forUpdate()
    .execute();
}

function waitingLetters(em: EntityManager) {
  return kysely(em)
    .selectFrom(`${JOB_QUEUE_SCHEMA}.job`)
    .where('name', '=', DEAD_LETTERS)
    .where('state', '=', 'created');
}

/** Moves dead letters back to their queues with a full set of retries, in the transaction of `em`.
 * Returns how many were moved; those whose queue no longer exists are not. */
async function redrive(em: EntityManager, ids: readonly string[]): Promise<number> {
  // Used only for this call, because the instance that runs the jobs may be in another process.
  const boss = new PgBoss({
    db: numberedSql(em),
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
