import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventOf, newMessageId } from '../../../harness/batch.ts';
import { untilKnown } from '../../../harness/batch-client.ts';
import { eventually } from '../../../harness/eventually.ts';
import { send } from '../../../harness/http.ts';
import { storedEvents } from '../../../harness/stored-events.ts';
import type { Tenant } from '../../../harness/tenant.ts';
import { countEvents, rejectedEvents } from '../../../harness/warehouse.ts';
import type { ApiProcess } from '../../harness/api-process.ts';
import { ask, mutate, refusals, tryMutation } from '../../harness/mutate.ts';
import { lastHours } from '../../harness/report-rows.ts';
import { tokenFor } from '../../harness/tokens.ts';
import { type OutboxScene, outboxScene } from '../../platform/warehouse/outbox-scene.ts';
import { AS_TRACK, BAD_TIME, MENDED, NAME, REPORT, SINCE } from './replay-inputs.ts';

let scene: OutboxScene;
let api: ApiProcess;
beforeAll(async () => {
  scene = await outboxScene();
  api = await scene.startApi();
});
afterAll(() => scene?.close());

async function tenantWithRefused(events: readonly string[]): Promise<Tenant> {
  const tenant = await scene.createTenant();
  await untilKnown(scene.ingest, tenant.writeKey);
  const answer = await send(`${scene.ingest.url}/v1/batch`, {
    headers: { 'content-type': 'application/json' },
    body: batchText(tenant.writeKey, events),
  });
  expect(answer.status).toBe(400);
  await rejectedEvents(tenant.workspaceId, events.length);
  return tenant;
}

type Replay = {
  readonly id: string;
  readonly state: string;
  readonly report: object | null;
};

async function follow(tenant: Tenant, id: string): Promise<Replay> {
  const { node } = await ask<{ node: Replay }>(
    { api, tenant },
    `query ($id: ID!) { node(id: $id) { ... on RejectedEventsReplay {
       id state codes group hash since until limit correction actorId finishedAt report { ${REPORT} } } } }`,
    { id },
  );
  return node;
}

async function replayed(tenant: Tenant, input: object): Promise<Replay> {
  const { replay } = await mutate<{ replay: Replay }>(
    { api, tenant },
    NAME,
    { input: { ...input } },
    'replay { id state } dryRun { found }',
  );
  return eventually(async () => {
    const now = await follow(tenant, replay.id);
    expect(now.state).toBe('COMPLETED');
    return now;
  });
}

describe.concurrent('a dry run', () => {
  test('returns the result immediately, and changes nothing', async () => {
    const type = '"nonsense"';
    const tenant = await tenantWithRefused([
      eventOf(newMessageId(), { type }),
      eventOf('empty', { type, event: '""' }),
      eventOf('nameless', { type, event: undefined }),
    ]);
    const { dryRun, replay } = await mutate<{ dryRun: object; replay: null }>(
      { api, tenant },
      NAME,
      { input: { ...AS_TRACK, dryRun: true } },
      `dryRun { ${REPORT} samples { messageId code message } } replay { id }`,
    );
    expect(replay).toBeNull();
    expect(dryRun).toMatchObject({
      found: 3,
      tried: 3,
      accepted: 1,
      uncorrectable: 0,
      refused: [{ code: 'MISSING_FIELD', events: 2 }],
      samples: expect.arrayContaining([
        expect.objectContaining({ messageId: 'nameless', code: 'MISSING_FIELD' }),
      ]),
    });
    const kept = await scene.query(
      'SELECT FROM rejected_events_replays WHERE workspace_id = $1 UNION ALL SELECT FROM audit_log WHERE workspace_id = $1',
      [tenant.workspaceId],
    );
    expect(kept).toEqual([]);
    expect(await countEvents(tenant.workspaceId)).toBe(0);
  });

  test('shows one corrected event, if the correction changes any', async () => {
    const before = eventOf(newMessageId(), { sessionId: undefined });
    const tenant = await tenantWithRefused([before]);
    const exampleOf = async (correction: object) => {
      const input = { codes: ['MISSING_FIELD'], since: SINCE, correction, dryRun: true };
      const { dryRun } = await mutate<{ dryRun: { example: object | null } }>(
        { api, tenant },
        NAME,
        { input },
        'dryRun { example { before after } }',
      );
      return dryRun.example;
    };
    const after = `${before.slice(0, -1)},"sessionId":"unknown"}`;
    expect(await exampleOf({ fill: { sessionId: 'unknown' } })).toEqual({ before, after });
    expect(await exampleOf({ fill: { event: 'Unnamed' } })).toBeNull();
  });

  test('counts at most the limit', async () => {
    const ids = Array.from({ length: 5 }, newMessageId);
    const tenant = await tenantWithRefused(ids.map(id => eventOf(id, { timestamp: '"soon"' })));
    const input = { ...MENDED, limit: 3, dryRun: true };
    const { dryRun } = await mutate<{ dryRun: object }>(
      { api, tenant },
      NAME,
      { input },
      `dryRun { ${REPORT} }`,
    );
    expect(dryRun).toEqual({ found: 3, tried: 3, accepted: 3, uncorrectable: 0, refused: [] });
  });
});

describe.concurrent('a replay', () => {
  test('can be of one group, or of one event', async () => {
    const ids = Array.from({ length: 4 }, newMessageId);
    const timestamp = '"soon"';
    const tenant = await tenantWithRefused([
      eventOf(ids[0]!, { timestamp, event: '"Viewed"' }),
      eventOf(ids[1]!, { timestamp, event: '"Viewed"' }),
      eventOf(ids[2]!, { timestamp, event: '"Bought"' }),
      eventOf(ids[3]!, { timestamp, event: '"Bought"' }),
    ]);
    const { rejectedEventGroups, rejectedEvents: listed } = await ask<{
      rejectedEventGroups: { key: string; event: string; count: number }[];
      rejectedEvents: { nodes: { messageId: string; hash: string }[] };
    }>(
      { api, tenant },
      `query ($range: ReportRange!) { rejectedEventGroups(range: $range) { key event count }
         rejectedEvents(range: $range, first: 9) { nodes { messageId hash } } }`,
      { range: lastHours(1) },
    );
    const group = rejectedEventGroups.find(({ event }) => event === 'Viewed')!;
    const hash = listed.nodes.find(({ messageId }) => messageId === ids[3])!.hash;
    expect(await replayed(tenant, { ...MENDED, group: group.key })).toMatchObject({
      group: group.key,
      hash: null,
      report: { found: group.count, accepted: 2 },
    });
    expect(await replayed(tenant, { ...MENDED, hash })).toMatchObject({
      group: null,
      hash,
      report: { found: 1, accepted: 1 },
    });
    await storedEvents(tenant.workspaceId, [ids[0]!, ids[1]!, ids[3]!]);
    expect(await countEvents(tenant.workspaceId)).toBe(3);
  });

  test('is performed by a job, and its ID shows the progress and is in the audit log', async () => {
    const [good, bad] = [newMessageId(), newMessageId()];
    const tenant = await tenantWithRefused([
      eventOf(good, { type: '"nonsense"' }),
      eventOf(bad, { type: '"nonsense"', event: undefined }),
    ]);
    const replay = await replayed(tenant, AS_TRACK);
    expect(replay).toMatchObject({
      codes: ['UNKNOWN_EVENT_TYPE'],
      since: '2026-01-01T00:00:00.000Z',
      until: null,
      limit: 10_000,
      correction: { rename: {}, drop: [], set: { type: 'track' }, fill: {} },
      actorId: 'user-of-a-test',
      finishedAt: expect.any(String),
      report: { found: 2, tried: 2, accepted: 1, refused: [{ code: 'MISSING_FIELD', events: 1 }] },
    });
    await storedEvents(tenant.workspaceId, [good]);
    const { auditEntries, rejectedEventsReplays } = await ask<Record<string, { nodes: object[] }>>(
      { api, tenant },
      `query ($id: ID!) {
         auditEntries(first: 5, subjectId: $id) { nodes { action actorId } }
         rejectedEventsReplays(first: 5) { nodes { id state } } }`,
      { id: replay.id },
    );
    expect(auditEntries!.nodes).toEqual([
      { action: 'rejected_events.replayed', actorId: 'user-of-a-test' },
      { action: 'rejected_events.replay', actorId: 'user-of-a-test' },
    ]);
    expect(rejectedEventsReplays!.nodes).toEqual([{ id: replay.id, state: 'COMPLETED' }]);
  });

  test('replays only the given codes', async () => {
    const [late, unnamed] = [newMessageId(), newMessageId()];
    const tenant = await tenantWithRefused([
      eventOf(late, { timestamp: '"soon"' }),
      eventOf(unnamed, { event: undefined }),
      eventOf(newMessageId(), { type: '"nonsense"' }),
    ]);
    const { report } = await replayed(tenant, {
      codes: ['INVALID_TIMESTAMP', 'MISSING_FIELD'],
      since: SINCE,
      correction: { set: { timestamp: '@received_at' }, fill: { event: 'Unnamed' } },
    });
    expect(report).toMatchObject({ found: 2, accepted: 2, refused: [] });
    await storedEvents(tenant.workspaceId, [late, unnamed]);
  });

  test('is requested once per idempotency key', async () => {
    const tenant = await scene.createTenant();
    const key = newMessageId();
    const token = await tokenFor(tenant.organizationId);
    const document = `mutation { ${NAME}(input: {codes: ["INVALID_TIMESTAMP"], since: "${SINCE}"})
      @idempotent(key: "${key}") { replay { id } userErrors { code } } }`;
    const [one, two] = [
      await api.graphql(document, { token }),
      await api.graphql(document, { token }),
    ];
    expect(one.errors, one.text).toBeUndefined();
    expect(two.data).toEqual(one.data);
    expect(await replaysOf(tenant)).toHaveLength(1);
  });

  test('is refused if its input is incomplete, too large or invalid', async () => {
    const tenant = await scene.createTenant();
    const asked = (input: object) => refusals({ api, tenant }, NAME, { input: { ...input } });
    expect(await asked({ ...BAD_TIME, codes: [] })).toEqual(['BAD_USER_INPUT input.codes']);
    expect(await asked({ ...BAD_TIME, codes: ['soon'] })).toEqual(['BAD_USER_INPUT input.codes.0']);
    expect(await asked({ ...BAD_TIME, until: '2025-12-31T00:00:00Z' })).toEqual([
      'INVALID_RANGE input.until',
    ]);
    expect(await asked({ ...BAD_TIME, limit: 100_001 })).toEqual(['BAD_USER_INPUT input.limit']);
    const wrong = { set: { 'a.b.c.d.e.f': 1 }, drop: ['..'] };
    expect((await asked({ ...BAD_TIME, correction: wrong })).toSorted()).toEqual([
      expect.stringMatching(/^BAD_USER_INPUT input\.correction\.drop/),
      expect.stringMatching(/^BAD_USER_INPUT input\.correction\.set/),
    ]);
    expect(await asked({ ...BAD_TIME, correction: { set: 'timestamp' } })).toEqual([
      'BAD_USER_INPUT input.correction.set',
    ]);
    expect(await replaysOf(tenant)).toEqual([]);
  });

  test('is only available to owners', async () => {
    const tenant = await scene.createTenant();
    const input = { ...MENDED, dryRun: true };
    const asker = { api, tenant, role: 'member' as const };
    const { errors } = await tryMutation(asker, NAME, { input }, 'dryRun { found }');
    expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });
});

function replaysOf({ workspaceId }: Tenant) {
  return scene.query('SELECT id FROM rejected_events_replays WHERE workspace_id = $1', [
    workspaceId,
  ]);
}
