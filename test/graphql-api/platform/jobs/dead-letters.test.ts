import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeNodeId } from '../../../../graphql-api/platform/graph/node-id.ts';
import { DEAD_LETTERS } from '../../../../graphql-api/platform/jobs/job-queue.ts';
import { JOB_QUEUE_SCHEMA } from '../../../../schema/environment/job-queue.ts';
import { eventually } from '../../../harness/eventually.ts';
import { createTenant, sql } from '../../../harness/tenant.ts';
import { useSharedApi } from '../../harness/api-process.ts';
import { tokenFor } from '../../harness/tokens.ts';

const api = useSharedApi();
const DOCUMENT = '{ deadLetters(first: 100) { id job data error attempts askedAt diedAt } }';

test('only platform admins see dead letters', async () => {
  const { organizationId } = await createTenant();
  const id = randomUUID();
  // The queue is created when a process has connected to Postgres.
  await eventually(() =>
    sql(
      `INSERT INTO ${JOB_QUEUE_SCHEMA}.job
         (id, name, data, source_name, source_output, source_retry_count, source_created_on, created_on)
       VALUES ($1, $2, '{"n":1}', 'a-job', '{"message":"it broke"}', 2, '2026-11-01', '2026-11-02')`,
      [id, DEAD_LETTERS],
    ),
  );
  const admin = await tokenFor(organizationId, { roles: ['platform_admin'] });
  const answer = await api().graphql(DOCUMENT, { token: admin });
  expect(answer.errors, answer.text).toBeUndefined();
  expect(answer.data?.deadLetters).toContainEqual({
    id: encodeNodeId('DeadLetter', id),
    job: 'a-job',
    data: { n: 1 },
    error: 'it broke',
    attempts: 3,
    askedAt: expect.stringMatching(/^2026-1/),
    diedAt: expect.stringMatching(/^2026-1/),
  });
  const owner = await tokenFor(organizationId, { roles: ['owner', 'member'] });
  const refused = await api().graphql(DOCUMENT, { token: owner });
  expect([refused.status, refused.errors?.[0]?.extensions?.code]).toEqual([403, 'FORBIDDEN']);
  const many = await api().graphql(DOCUMENT.replace('100', '101'), { token: admin });
  expect(many.errors?.[0]?.extensions?.reason).toBe('INVALID_PAGE');
});
