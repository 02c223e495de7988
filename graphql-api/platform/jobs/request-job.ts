// Jobs requested by actions. They are rows of `job_requests`, not of pg-boss's own table, because that
// table has no tenant, so row-level security could not limit what the application role adds to it. An
// action also works while pg-boss has no queue for the job yet, as during the rollout of a release.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { PgBoss } from 'pg-boss';
import type { AppDeps } from '../context.ts';
import { kysely, rowsOf, sql } from '../database/kysely.ts';
import { numberedSql } from '../database/numbered-sql.ts';
import { currentRequestId } from '../observe/request-id.ts';
import type { ActionScope } from '../run-action.ts';
import type { Job } from './job.ts';

/** The maximum per transaction. */
const REQUESTS_MAX = 200;

/** Requests a job in the action's transaction. It starts about a second after the commit. */
export async function requestJob<Data extends object>(
  { em, viewer, deps }: Pick<ActionScope, 'em' | 'viewer' | 'deps'>,
  job: Job<Data>,
  data: Data,
  /** The ID of the job, if its data contains it. */
  id: string = deps.newId(),
): Promise<{ readonly id: string }> {
  const { organizationId } = viewer;
  await kysely(em)
    .insertInto('job_requests')
    .values({ id, organizationId, job: job.name, data: { ...job.data.parse(data), ...origin() } })
    .execute();
  return { id };
}

/** The member of a job's data that names the request that asked for it. */
const REQUEST_ID = '_requestId';

function origin(): Readonly<Record<string, string>> {
  const requestId = currentRequestId();
  return requestId === undefined ? {} : { [REQUEST_ID]: requestId };
}

/** Separates a job's own data from the ID of the request that asked for it. */
export function originOf(data: unknown): { readonly data: unknown; readonly requestId?: string } {
  if (typeof data !== 'object' || data === null || !(REQUEST_ID in data)) return { data };
  const { [REQUEST_ID]: requestId, ...own } = data as Record<string, unknown>;
  return typeof requestId === 'string' ? { data: own, requestId } : { data: own };
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

async function moveSome(
  em: EntityManager,
  boss: PgBoss,
  names: readonly string[],
): Promise<number> {
  const requests = await rowsOf(
    em,
    sql<{ id: string; job: string; data: object }>`
      DELETE FROM job_requests WHERE id IN (
        SELECT id FROM job_requests WHERE job = ANY(${names})
        ORDER BY id LIMIT ${REQUESTS_MAX} FOR UPDATE SKIP LOCKED)
      RETURNING id, job, data`,
  );
  for (const [job, group] of Map.groupBy(requests, request => request.job)) {
    const moved = group.map(({ id, data }) => ({ id, data }));
    await boss.insert(job, moved, { db: numberedSql(em) });
  }
  return requests.length;
}
