import { afterAll, beforeAll, expect, test } from 'vitest';
import { journeyEnrol } from '../../../../graphql-api/journeys/enrolment.actions.ts';
import { encodeNodeId } from '../../../../graphql-api/platform/graph/node-id.ts';
import { eventually } from '../../../harness/eventually.ts';
import { cardRow } from '../../../harness/internal.ts';
import { createRandom } from '../../../harness/random.ts';
import { rows } from '../../../harness/warehouse.ts';
import type { ApiProcess } from '../../harness/api-process.ts';
import { lastHours, reportOf } from '../../harness/report-rows.ts';
import { emptyModel } from '../../journeys/model.ts';
import { createWorld, furnish, must } from '../../journeys/world.ts';
import { type OutboxScene, outboxScene } from './outbox-scene.ts';

let scene: OutboxScene;
beforeAll(async () => {
  scene = await outboxScene();
});
afterAll(() => scene?.close());

async function killApi(api: ApiProcess): Promise<void> {
  process.kill(api.pid, 'SIGKILL');
  await eventually(() => expect(api.isRunning()).toBe(false), { intervalMs: 5 });
}

async function count(workspaceId: string) {
  const [found] = await rows<{ shown: string; distinct: string }>(
    `SELECT count() AS shown, uniqExact(card_id) AS distinct
     FROM activity_cards WHERE workspace_id = {workspaceId:UUID}`,
    { workspaceId },
  );
  return { shown: Number(found?.shown), distinct: Number(found?.distinct) };
}

test('1,000 rows are each stored once after repeated kill -9 of the API and of ingest', async () => {
  const tenant = await scene.createTenant();
  const random = createRandom(7);
  const apis = [await scene.startApi(), await scene.startApi()];
  const putting = (async () => {
    for (let request = 0; request < 100; request++)
      await scene.put(
        tenant,
        Array.from({ length: 10 }, () => cardRow()),
      );
  })();
  for (let kill = 0; kill < 4; kill++) {
    // Killed while rows are being sent: some have arrived since the last kill, and some wait.
    const before = await count(tenant.workspaceId);
    if (kill === 3) await putting;
    await eventually(
      async () => {
        const left = await scene.query('SELECT count(*)::int AS left FROM ingest_outbox');
        expect((await count(tenant.workspaceId)).shown > before.shown || left[0]?.left === 0).toBe(
          true,
        );
      },
      { intervalMs: 20 },
    );
    const victim = random.below(apis.length);
    await Promise.all([killApi(apis[victim]!), scene.ingest.kill9()]);
    scene.address.pointTo(undefined);
    apis[victim] = await scene.startApi();
    await scene.ingest.restart();
    scene.address.pointTo(scene.ingest.url);
  }
  await putting;
  await eventually(async () => {
    expect(await scene.query('SELECT id FROM ingest_outbox')).toEqual([]);
    expect(await count(tenant.workspaceId)).toEqual({ shown: 1000, distinct: 1000 });
  });
});

test('a lost response does not duplicate a row', async () => {
  const tenant = await scene.createTenant();
  const api = await scene.startApi();
  const card = cardRow();
  await scene.put(tenant, [card]);
  await eventually(async () => expect((await count(tenant.workspaceId)).shown).toBe(1));
  // Simulates a process that died between ingest's response and the commit: the row is still in the
  // outbox.
  await scene.query(
    `INSERT INTO ingest_outbox (id, workspace_id, table_name, row)
     VALUES (gen_random_uuid(), $1, 'activity_cards_raw', $2)`,
    [tenant.workspaceId, JSON.stringify(card)],
  );
  const last = cardRow();
  await scene.put(tenant, [last]);
  await eventually(async () =>
    expect(await count(tenant.workspaceId)).toEqual({ shown: 2, distinct: 2 }),
  );
  expect(await scene.query('SELECT id FROM ingest_outbox')).toEqual([]);
  await api.stop();
});

test('while ingest is unavailable, rows wait unchanged and are stored afterwards', async () => {
  const tenant = await scene.createTenant();
  const api = await scene.startApi();
  scene.address.pointTo(undefined);
  await scene.put(tenant, [cardRow(), cardRow()]);
  await eventually(() => expect(api.logs()).toContain('cannot send rows to ingest, retrying'));
  expect(await scene.query('SELECT attempts, failed_at FROM ingest_outbox')).toEqual([
    { attempts: 0, failed_at: null },
    { attempts: 0, failed_at: null },
  ]);
  expect(api.isRunning()).toBe(true);
  scene.address.pointTo(scene.ingest.url);
  await eventually(async () => expect((await count(tenant.workspaceId)).shown).toBe(2));
  await api.stop();
});

test('the audit of each send of a journey is in the warehouse once', async () => {
  const world = await createWorld(scene.deps, scene.databaseUrl);
  const model = emptyModel(Date.now());
  await furnish(world, model);
  const { tenant, userIds } = world;
  const [journey] = model.journeys;
  scene.address.pointTo(undefined);
  // Both processes advance people, and one is killed before its audits are sent.
  const apis = [await scene.startApi(), await scene.startApi()];
  must(await world.act(journeyEnrol, { id: journey!.id, userIds: [...userIds] }));
  const waiting = await eventually(async () => {
    const found = await scene.query(
      `SELECT row FROM ingest_outbox WHERE workspace_id = $1 AND table_name = 'send_audits_raw'`,
      [tenant.workspaceId],
    );
    expect(found).toHaveLength(userIds.length);
    return found.map(({ row }) => row as object);
  });
  await killApi(apis[0]!);
  // Simulates a process that died between ingest's response and the commit.
  await scene.put(tenant, waiting, 'send_audits_raw');
  scene.address.pointTo(scene.ingest.url);
  await eventually(async () => {
    const left = 'SELECT 1 FROM ingest_outbox WHERE workspace_id = $1';
    expect(await scene.query(left, [tenant.workspaceId])).toEqual([]);
  });
  const [version] = model.versions;
  const send = (userId: string) => ({
    userId,
    reason: 'PIN',
    nodeId: 's1',
    version: { id: encodeNodeId('TemplateVersion', version!.id) },
    journey: { id: encodeNodeId('Journey', journey!.id) },
  });
  const sends = `query ($range: ReportRange!, $journeyId: ID, $reasons: [SendReason!]) {
    sends(range: $range, first: 10, journeyId: $journeyId, reasons: $reasons) {
      nodes { userId reason nodeId version { id } journey { id } } } }`;
  const variables = { range: lastHours(1), journeyId: encodeNodeId('Journey', journey!.id) };
  await eventually(async () => {
    const { nodes } = await reportOf<{ nodes: { userId: string }[] }>(
      apis[1]!,
      tenant,
      sends,
      variables,
    );
    expect(nodes.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))).toEqual(userIds.map(send));
  });
  const forced = { ...variables, reasons: ['FORCED'] };
  expect(await reportOf(apis[1]!, tenant, sends, forced)).toEqual({ nodes: [] });
});
