import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { cardRow } from '../../harness/internal.ts';
import { createRandom } from '../../harness/random.ts';
import { rows } from '../../harness/warehouse.ts';
import type { ApiProcess } from '../harness/api-process.ts';
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

test('1,000 rows are each there once after kill -9 of the API and of ingest, again and again', async () => {
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
    // Killed while rows are on their way: some have arrived since the last time, and some wait.
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
}, 180_000);

test('an answer that is lost on its way does not double a row', async () => {
  const tenant = await scene.createTenant();
  const api = await scene.startApi();
  const card = cardRow();
  await scene.put(tenant, [card]);
  await eventually(async () => expect((await count(tenant.workspaceId)).shown).toBe(1));
  // As after a death between ingest's answer and the commit: the row is in the outbox still.
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

test('while ingest is away rows wait, untouched, and arrive when it is back', async () => {
  const tenant = await scene.createTenant();
  const api = await scene.startApi();
  scene.address.pointTo(undefined);
  await scene.put(tenant, [cardRow(), cardRow()]);
  await eventually(() => expect(api.logs()).toContain('rows for ingest wait'));
  expect(await scene.query('SELECT attempts, failed_at FROM ingest_outbox')).toEqual([
    { attempts: 0, failed_at: null },
    { attempts: 0, failed_at: null },
  ]);
  expect(api.isRunning()).toBe(true);
  scene.address.pointTo(scene.ingest.url);
  await eventually(async () => expect((await count(tenant.workspaceId)).shown).toBe(2));
  await api.stop();
});
