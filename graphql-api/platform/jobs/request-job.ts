import type { EntityManager } from '@mikro-orm/postgresql';
import type { PgBoss } from 'pg-boss';
import type { AppDeps } from '../context.ts';
import { numberedSql } from '../database/numbered-sql.ts';
import type { ActionScope } from '../run-action.ts';
import type { Job } from './job.ts';

/** The maximum per transaction. */
const REQUESTS_MAX = 200;

/** Requests a job in the action's transaction. It starts about a second after the commit. */
export async function requestJob<Data>(
  { em, viewer, deps }: Pick<ActionScope, 'em' | 'viewer' | 'deps'>,
  job: Job<Data>,
  data: Data,
  /** The ID of the job, if its data contains it. */
  id: string = deps.newId(),
): Promise<{ readonly id: string }> {
  await em.execute(
    'INSERT INTO job_requests (id, organization_id, job, data) VALUES (?, ?, ?, ?::jsonb)',
    [id, viewer.organizationId, job.name, JSON.stringify(job.data.parse(data))],
  );
  return { id };
}

/** Moves requests to the queue, except for jobs that this release does not know. */
export async function queueRequests(
  { database }: Pick<AppDeps, 'database'>,
  boss: PgBoss,
  jobs: readonly Job[],
): Promise<void> {
  const names = jobs.map(job => job.name);
  while ((await database.asSystem(em => moveSome(em, boss, names))) === REQUESTS_MAX);
}

type Request = { readonly id: string; readonly job: string; readonly data: object };

async function moveSome(
  em: EntityManager,
  boss: PgBoss,
  names: readonly string[],
): Promise<number> {
  const db = numberedSql(em);
  const { rows } = await db.executeSql(
    `DELETE FROM job_requests WHERE id IN (
       SELECT id FROM job_requests WHERE job = ANY($1) ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING id, job, data`,
    [names, REQUESTS_MAX],
  );
  const requests = rows as Request[];
  for (const [job, group] of Map.groupBy(requests, request => request.job)) {
    await boss.insert(
      job,
      group.map(({ id, data }) => ({ id, data })),
      { db },
    );
  }
  return requests.length;
}
