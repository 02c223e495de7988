// After an outage or a slow period of ClickHouse, thousands of small segments wait. They are
// inserted as a few blocks, so the time to catch up depends on the number of bytes, not of
// segments. A group that was in progress when the process died stays the same after a restart, so
// its events are stored once.

import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { acceptBatch } from '../../ingest/accept/accept-batch.ts';
import { parseBatch } from '../../ingest/accept/parse-batch.ts';
import { createRecentIdsMemory, RecentIds } from '../../ingest/accept/recent-ids.ts';
import { systemClock } from '../../ingest/clock.ts';
import type { SdkRequest } from '../../ingest/sdk-request.ts';
import { type FileSystem, nodeFileSystem } from '../../ingest/spool/file-system.ts';
import { SpoolLog } from '../../ingest/spool/spool-log.ts';
import { ALL_TABLES } from '../../schema/rows/all-tables.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import { batchText, eventOf, newMessageId, type Texts } from '../harness/batch.ts';
import { EACH_ONCE, tally } from '../harness/copies.ts';
import { answerNone, createBarrier, firstTryOnly, pass } from '../harness/fault-proxy.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import type { Tenant } from '../harness/tenant.ts';
import { openScene, type Scene } from './scene.ts';
import { logDirectory } from './spool-files.ts';

const SEGMENTS = 2_000;
const ROWS = 5;
const INSERTS_MAX = 50;
/** Higher than the sequence numbers of segments written by the process itself. */
const FIRST_SEQUENCE = 1_000;

const clickhouse = useClickHouse();

/** No crash happens while the segments are written, so syncs are not needed. */
const withoutSyncs: FileSystem = {
  ...nodeFileSystem,
  create: async path => ({
    ...(await nodeFileSystem.create(path)),
    datasync: async () => undefined,
  }),
  syncDirectory: async () => undefined,
};

/** Writes sealed segments of five events each for the stopped process; returns their IDs. */
async function leaveSegments({ ingest, tenant }: Scene, segments: number): Promise<string[]> {
  let nowMs = 0;
  const log = await SpoolLog.open({
    fs: withoutSyncs,
    clock: { ...systemClock, monotonicMs: () => nowMs },
    directory: logDirectory(ingest),
    tables: ALL_TABLES,
    firstSequence: FIRST_SEQUENCE,
    newId: uuidv7,
    onSealed: () => undefined,
    onCommit: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  const recent = new RecentIds(createRecentIdsMemory(1, 1 << 8));
  const ids: string[] = [];
  for (let segment = 0; segment < segments; segment++) {
    const these = Array.from({ length: ROWS }, newMessageId);
    const texts = these.map((id, row) => eventOf(id, oldNowAndThen(segment, row)));
    const batch = parseBatch(Buffer.from(batchText(tenant.writeKey, texts)));
    if ('code' in batch) throw new Error(batch.message);
    await acceptBatch(log, recent, batch, senderOf(tenant));
    ids.push(...these);
    nowMs += 10_000;
    log.tick();
    while (log.refusal() !== undefined) await new Promise(resolve => setImmediate(resolve));
  }
  await log.close();
  return ids;
}

/** Some segments have rows of a second partition. */
function oldNowAndThen(segment: number, row: number): Texts {
  return segment % 10 === 0 && row === 0 ? { timestamp: '"2024-05-01T00:00:00.000Z"' } : {};
}

function senderOf({ workspaceId, keyId }: Tenant): SdkRequest {
  return {
    account: {
      workspaceId,
      workspaceIdBytes: uuidToRowBinary(workspaceId),
      keyIdBytes: uuidToRowBinary(keyId),
    },
    propertyIdBytes: new Uint8Array(16),
    receivedAtMs: Date.now(),
  } as unknown as SdkRequest;
}

async function expectEachOnce({ tenant }: Scene, ids: readonly string[]): Promise<void> {
  expect(await tally(clickhouse(), 'events_raw', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
}

test(`${SEGMENTS} waiting segments of ${ROWS} rows need fewer than ${INSERTS_MAX} inserts, and every row is stored once`, async test => {
  const scene = await openScene(test, clickhouse().url);
  await scene.ingest.stop();
  const ids = await leaveSegments(scene, SEGMENTS);
  let inserts = 0;
  scene.proxy.onInsert = exchange => {
    inserts++;
    return pass(exchange);
  };
  await scene.restart();
  await scene.settled();
  expect(inserts).toBeLessThan(INSERTS_MAX);
  await expectEachOnce(scene, ids);
});

const GROUP_TOKEN = /-and-\d+-more-/;

test.for([
  { name: 'the token alone saves the day', token: true, question: false },
  { name: 'the question alone saves the day', token: false, question: true },
])(
  'kill -9 between the commit of a group and its confirmation: $name, each event once',
  async ({ token, question }, test) => {
    const scene = await openScene(test, clickhouse().url);
    const { proxy, ingest } = scene;
    await ingest.stop();
    const ids = await leaveSegments(scene, 100);
    const committed = createBarrier();
    proxy.onInsert = async exchange => {
      const answered = await exchange.forward();
      if (GROUP_TOKEN.test(exchange.token)) await committed.wait();
      exchange.answer(answered);
    };
    proxy.withoutDeduplication = !token;
    await scene.restart();
    await committed.reached;
    await ingest.kill9();
    proxy.onInsert = pass;
    if (!question) proxy.onQuestion = firstTryOnly(answerNone);
    committed.open();
    await scene.restart();
    await scene.settled();
    await expectEachOnce(scene, ids);
  },
);
