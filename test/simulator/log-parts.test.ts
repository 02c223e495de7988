// ClickHouse merges every part that it receives, so their number must not grow with the number of threads and
// nodes that write to the log: a partition of the log results in one block per interval.

import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRecentIdsMemory, RecentIds } from '../../ingest/accept/recent-ids.ts';
import { LOG_BLOCK_AGE_MS } from '../../ingest/limits.ts';
import { createMetrics } from '../../ingest/observe/metrics.ts';
import { BrokerLog } from '../../ingest/replicated-log/broker-log.ts';
import { CellLogReaders } from '../../ingest/replicated-log/cell-log-readers.ts';
import { PARTITIONS, SimulatedTopic } from './simulated-log.ts';
import { send } from './traffic.ts';
import { World } from './world.ts';

const SECONDS = 8;
const STEP_MS = 200;
const RECENT_IDS = 1 << 8;
/** The traffic has events of two years, which are partitions of the table. */
const YEARS = 2;
/** The first block of a partition may end early. */
const PARTS_MAX = YEARS * PARTITIONS * ((SECONDS * 1_000) / LOG_BLOCK_AGE_MS + 1);

// The last: 20 nodes with 16 threads.
test.for([1, 16, 320])('%i threads make no more parts than the partitions allow', async threads => {
  const parts = await partsOf(threads);
  expect(parts).toBeGreaterThan(1);
  expect(parts).toBeLessThanOrEqual(PARTS_MAX);
});

/** The number of parts with events after a steady load of each thread. */
async function partsOf(threads: number): Promise<number> {
  const world = new World(threads, {});
  const chance = () => world.chance();
  const topics = {
    rows: new SimulatedTopic(chance, world.clock),
    outbox: new SimulatedTopic(chance, world.clock),
  };
  for (const topic of Object.values(topics)) topic.recordsPerFetchMax = threads * 2;
  const logs = Array.from({ length: threads }, () => logOf(world, topics));
  const stopping = new AbortController();
  const reading = readersOf(world, topics).run(stopping.signal);
  const recent = new RecentIds(createRecentIdsMemory(1, RECENT_IDS));
  for (let elapsedMs = 0; elapsedMs < SECONDS * 1_000; elapsedMs += STEP_MS) {
    for (const log of logs) if (world.chance() < 0.5) send(world, log, recent);
    await world.pass(STEP_MS);
  }
  stopping.abort();
  await world.pass(STEP_MS);
  await reading;
  return world.warehouse.countParts('events_raw');
}

type Topics = Readonly<Record<'rows' | 'outbox', SimulatedTopic>>;

function logOf(world: World, topics: Topics): BrokerLog {
  return new BrokerLog({
    cell: 'default',
    clock: world.clock,
    newId: () => world.newId(),
    openLane: of => topics[of].openLane(),
    onCommit: () => undefined,
  });
}

function readersOf(world: World, topics: Topics): CellLogReaders {
  return new CellLogReaders({
    cell: 'default',
    clock: world.clock,
    groups: { clickhouse: topics.rows.joinGroup(), outbox: topics.outbox.joinGroup() },
    clickhouse: world.warehouse.connect(),
    outboxLink: world.postgres.connect(),
    random: () => world.chance(),
    fs: world.disk,
    directory: '/log/default',
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
  });
}
