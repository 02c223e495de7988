// The warehouse is away for longer than the spool has room: refused in time, clearly, and with
// nothing of what was acknowledged lost.

import { expect, test } from 'vitest';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, expectProblem, postEvents, untilKnown } from '../harness/batch-client.ts';
import { EACH_ONCE, tally } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { openScene, type Scene } from './scene.ts';

const SPOOL_BYTES_MAX = 1024 * 1024;
const EVENTS_PER_BATCH = 10;
/** Under 10 KB, which is the most that one value may have. */
const NOTE = 'n'.repeat(8_000);
/** Twice what has room. */
const BATCHES_MAX = (2 * SPOOL_BYTES_MAX) / (EVENTS_PER_BATCH * NOTE.length);

const clickhouse = useClickHouse();

async function sendBatch({ ingest, tenant }: Scene) {
  const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
  const events = ids.map(id => eventOf(id, { properties: `{"note": "${NOTE}"}` }));
  return { ids, answer: await postEvents(ingest, tenant.writeKey, events) };
}

/** Sends until it is refused; returns the ids that were acknowledged. */
async function fill(scene: Scene): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let batches = 0; batches < BATCHES_MAX; batches++) {
    const { ids, answer } = await sendBatch(scene);
    if (answer.status !== 200) {
      expectProblem(answer, 502, 'CELL_UNAVAILABLE');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      return acknowledged;
    }
    acknowledged.push(...ids);
  }
  throw new Error('never refused');
}

test.concurrent('502 with Retry-After; all that was acknowledged arrives; then it takes events again', async test => {
  const env = { SPOOL_MAX_BYTES: String(SPOOL_BYTES_MAX) };
  const scene = await openScene(test, clickhouse().url, { env });
  scene.proxy.refuseConnections(true);
  const ids = await fill(scene);
  // Room was used, and little more than there is: the last batch may go over.
  const bytes = sumOf(await metrics(scene.ingest), /^ingest_spool_bytes$/);
  expect(bytes).toBeGreaterThanOrEqual(SPOOL_BYTES_MAX);
  expect(bytes).toBeLessThan(SPOOL_BYTES_MAX + 2 * EVENTS_PER_BATCH * NOTE.length);
  // A start finds it as full as it was.
  await scene.ingest.kill9();
  await scene.ingest.restart({}, false);
  await untilKnown(scene.ingest, scene.tenant.writeKey);
  expectProblem((await sendBatch(scene)).answer, 502, 'CELL_UNAVAILABLE');
  scene.proxy.refuseConnections(false);
  await eventually(async () => {
    const { ids: more, answer } = await sendBatch(scene);
    expectAccepted(answer, EVENTS_PER_BATCH);
    ids.push(...more);
  });
  await scene.settled();
  const { workspaceId } = scene.tenant;
  expect(await tally(clickhouse(), 'events_raw', workspaceId, ids)).toEqual(EACH_ONCE);
});

test.concurrent('over several threads the room is one', async test => {
  const env = { SPOOL_MAX_BYTES: String(SPOOL_BYTES_MAX) };
  const scene = await openScene(test, clickhouse().url, { env, threads: 3 });
  scene.proxy.refuseConnections(true);
  const ids = await fill(scene);
  scene.proxy.refuseConnections(false);
  await scene.settled();
  const { workspaceId } = scene.tenant;
  expect(await tally(clickhouse(), 'events_raw', workspaceId, ids)).toEqual(EACH_ONCE);
});
