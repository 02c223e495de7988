import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../../graphql-api/platform/graph/node-id.ts';
import { JOB_QUEUE_SCHEMA } from '../../../../schema/environment/job-queue.ts';
import { createTenant, sql } from '../../../harness/tenant.ts';
import { useSharedApi } from '../../harness/api-process.ts';
import { ask, refusals, tryMutation } from '../../harness/mutate.ts';
import { BAD_TIME, MENDED, NAME } from './replay-inputs.ts';

describe('without ingest', () => {
  const lonely = useSharedApi({ areRefusalsRepeated: false });

  test('a dry run is refused for now', async () => {
    const tenant = await createTenant();
    const input = { ...MENDED, dryRun: true };
    const answer = await tryMutation(
      { api: lonely(), tenant },
      NAME,
      { input },
      'dryRun { found }',
    );
    expect(answer.errors?.[0]).toMatchObject({
      path: [NAME, 'dryRun'],
      extensions: { reason: 'UNAVAILABLE' },
    });
  });

  // Uses a queue in which no replay ends.
  test('at most five of a workspace are queued, also with concurrent requests', async () => {
    const tenant = await createTenant();
    const asker = { api: lonely(), tenant };
    await sql(
      `INSERT INTO rejected_events_replays (id, workspace_id, actor_id, request, finished_at)
       SELECT gen_random_uuid(), $1, 'somebody', '{}', CASE WHEN n > 3 THEN now() END
       FROM generate_series(1, 9) AS n`,
      [tenant.workspaceId],
    );
    const asked = await Promise.all(
      [1, 2, 3, 4].map(() => refusals(asker, NAME, { input: BAD_TIME })),
    );
    expect(asked.filter(codes => codes.length === 0)).toHaveLength(2);
    expect(asked.flat()).toEqual(['TOO_MANY_REPLAYS', 'TOO_MANY_REPLAYS']);
  });

  test.for([
    ['created', 'WAITING'],
    ['active', 'RUNNING'],
    // The result is stored before the job completes. Here it was read too early, so it counts as
    // running.
    ['completed', 'RUNNING'],
    ['failed', 'FAILED'],
    [undefined, 'FAILED'],
  ] as const)(
    'a job that is %s means a replay that is %s, also after a redrive',
    async ([job, state]) => {
      const tenant = await createTenant();
      const id = randomUUID();
      await sql(
        `INSERT INTO rejected_events_replays (id, workspace_id, actor_id, request)
       VALUES ($1, $2, 'somebody', $3)`,
        [id, tenant.workspaceId, JSON.stringify(BAD_TIME)],
      );
      if (job !== undefined)
        await sql(
          `INSERT INTO ${JOB_QUEUE_SCHEMA}.job (id, name, data, state, start_after, source_root_id)
         VALUES (gen_random_uuid(), 'replay-rejected-events', '{}', $1, now() + interval '1 day', $2)`,
          [job, id],
        );
      const { node } = await ask<{ node: object }>(
        { api: lonely(), tenant },
        'query ($id: ID!) { node(id: $id) { ... on RejectedEventsReplay { state report { found } } } }',
        { id: encodeNodeId('RejectedEventsReplay', id) },
      );
      expect(node).toEqual({ state, report: null });
    },
  );
});
