// ClickHouse rejects some rows permanently (here: because of a constraint added by an operator).
// The block is halved until each such row is alone in rejected_events. All other rows are delivered
// once, without delay. Rows are counted in events_raw, with merges stopped.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { newMessageId } from '../harness/batch.ts';
import { EACH_ONCE, tally } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { createBarrier, loseAnswer, pass } from '../harness/fault-proxy.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { createRandom } from '../harness/random.ts';
import { openScene, type Scene } from './scene.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const EVENTS = 60;
const POISON = new Set([0, 17, 18, 41, 59]);

const clickhouse = useClickHouse();

beforeAll(() =>
  clickhouse().command(`ALTER TABLE events_raw ADD CONSTRAINT no_poison CHECK event != 'poison'`),
);
afterAll(() => clickhouse().command('ALTER TABLE events_raw DROP CONSTRAINT no_poison'));

type Sent = { readonly good: string[]; readonly poison: string[] };

async function sendSomePoison(scene: Scene): Promise<Sent> {
  const ids = await scene.send(EVENTS, i => ({
    event: POISON.has(i) ? '"poison"' : '"fine"',
    properties: `{"number": ${i}}`,
  }));
  return {
    good: ids.filter((_, i) => !POISON.has(i)),
    poison: ids.filter((_, i) => POISON.has(i)),
  };
}

async function expectSorted({ tenant }: Scene, { good, poison }: Sent): Promise<void> {
  const { workspaceId } = tenant;
  expect(await tally(clickhouse(), 'events_raw', workspaceId, good)).toEqual(EACH_ONCE);
  expect(await tally(clickhouse(), 'events', workspaceId, good)).toEqual(EACH_ONCE);
  const parked = await clickhouse().rows<Parked>(
    `SELECT code, message, message_id, body, sdk_key_id FROM rejected_events_raw
     WHERE workspace_id = {workspaceId:UUID}`,
    { workspaceId },
  );
  expect(parked.map(row => row.message_id).sort()).toEqual([...poison].sort());
  for (const row of parked) {
    expect(row).toMatchObject({ code: 'WAREHOUSE_REFUSED', sdk_key_id: tenant.keyId });
    expect(row.message).toContain('no_poison');
    const body = JSON.parse(row.body) as Record<string, unknown>;
    expect(body).toMatchObject({
      workspace_id: workspaceId,
      type: 'track',
      event: 'poison',
      message_id: row.message_id,
      anonymous_id: 'anonymous-1',
      session_id: 'session-1',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      properties: expect.stringMatching(/^\{"number": \d+\}$/),
    });
  }
}

type Parked = {
  code: string;
  message: string;
  message_id: string;
  body: string;
  sdk_key_id: string;
};

test.concurrent('rejected rows are stored completely in rejected_events; the others are delivered without delay', async test => {
  const scene = await openScene(test, clickhouse().url);
  const sent = await sendSomePoison(scene);
  await scene.settled();
  await expectSorted(scene, sent);
  const samples = await metrics(scene.ingest);
  expect(sumOf(samples, /^ingest_rows_parked_total$/)).toBe(POISON.size);
  expect(
    sumOf(samples, /^ingest_insert_failures_total$/, { kind: 'data refused' }),
  ).toBeGreaterThan(POISON.size);
  const behind = await scene.send(10, () => ({ event: '"fine"' }));
  await scene.settled();
  await expectSorted(scene, { ...sent, good: [...sent.good, ...behind] });
});

test.concurrent('a block with only rejected rows', async test => {
  const scene = await openScene(test, clickhouse().url);
  const poison = await scene.send(5, i => ({
    event: '"poison"',
    properties: `{"number": ${i}}`,
  }));
  await scene.settled();
  await expectSorted(scene, { good: [], poison });
});

test.concurrent('the response for each part is lost once', async test => {
  const scene = await openScene(test, clickhouse().url);
  const seen = new Set<string>();
  scene.proxy.onInsert = exchange => {
    const isFirst = !seen.has(exchange.token);
    seen.add(exchange.token);
    return (isFirst && seen.size % 3 === 0 ? loseAnswer : pass)(exchange);
  };
  const sent = await sendSomePoison(scene);
  await scene.settled();
  await expectSorted(scene, sent);
});

/**
 * The last insert that reaches ClickHouse before the kill: the whole block, the first parked row,
 * or a point at which some parts of the block are stored.
 */
const killPoints = IS_LONG
  ? Array.from({ length: 40 }, (_, i) => i + 1)
  : [1, 8, 10 + createRandom(Date.now()).below(20)];

test.for(killPoints)(
  'kill -9 of ingest after the insert number %i of the halving',
  { concurrent: !IS_LONG },
  async (killPoint, test) => {
    const scene = await openScene(test, clickhouse().url);
    const { proxy, ingest } = scene;
    const before = createBarrier();
    let inserts = 0;
    proxy.onInsert = async exchange => {
      inserts++;
      const answered = await exchange.forward();
      if (inserts >= killPoint) await before.wait();
      exchange.answer(answered);
    };
    const sent = await sendSomePoison(scene);
    await before.reached;
    await ingest.kill9();
    proxy.onInsert = pass;
    before.open();
    await scene.restart();
    await scene.settled();
    await expectSorted(scene, sent);
  },
);

test.concurrent('rows sent after rejected ones do not wait for an operator', async test => {
  const scene = await openScene(test, clickhouse().url);
  const sent = await sendSomePoison(scene);
  const marker = newMessageId();
  await scene.send(1, () => ({ messageId: JSON.stringify(marker), event: '"fine"' }));
  await eventually(async () => {
    const { missing } = await tally(clickhouse(), 'events', scene.tenant.workspaceId, [
      ...sent.good,
      marker,
    ]);
    expect(missing).toEqual([]);
  });
});
