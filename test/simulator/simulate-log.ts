// One seeded life of a replicated log with two nodes that accept and deliver: brokers, the warehouse
// and Postgres fail, partitions move in the middle of an insert, nodes die and start again. At the
// end all faults stop, and the stored data is compared with what was acknowledged.

import { pino } from 'pino';
import { createRecentIdsMemory, RecentIds } from '../../ingest/accept/recent-ids.ts';
import { createMetrics } from '../../ingest/observe/metrics.ts';
import { BrokerLog } from '../../ingest/replicated-log/broker-log.ts';
import { CellLogReaders } from '../../ingest/replicated-log/cell-log-readers.ts';
import { findViolations } from './find-violations.ts';
import { SimulatedTopic } from './simulated-log.ts';
import { send } from './traffic.ts';
import { type SimulationOptions, World } from './world.ts';

export type LogSimulationOptions = SimulationOptions & {
  /** The group gives the partitions to others now and then. */
  readonly rebalances?: boolean;
  /** Committed offsets are set back now and then. */
  readonly rewinds?: boolean;
};

const STEPS_MAX = 60;
const RECENT_IDS = 1 << 8;
const METRICS = createMetrics();
const SILENT = pino({ level: 'silent' });

/** Runs the life of this seed and returns the violated invariants. */
export async function simulateLog(
  seed: number,
  options: LogSimulationOptions = {},
): Promise<readonly string[]> {
  const world = new World(seed, options);
  const chance = () => world.chance();
  const topics = {
    rows: new SimulatedTopic(chance, world.clock),
    outbox: new SimulatedTopic(chance, world.clock),
  };
  // Only tokens hold back a member that goes on beside its successor. Without them the table can get a
  // copy of a row, which the views hide.
  const hasTokens = !options.forgetsTokens && !options.logsTokensEarly && !options.restarts;
  topics.rows.hasLateMembers = hasTokens;
  const life = { world, topics, options };
  const nodes = [startNode(life), startNode(life)];
  await liveOn(life, nodes);
  await recover(life, nodes);
  return findViolations(world);
}

type Life = {
  readonly world: World;
  readonly topics: Readonly<Record<'rows' | 'outbox', SimulatedTopic>>;
  readonly options: LogSimulationOptions;
};

type Node = {
  readonly log: BrokerLog;
  readonly recent: RecentIds;
  die(): void;
};

function startNode({ world, topics }: Life): Node {
  const connection = world.warehouse.connect();
  const link = world.postgres.connect();
  const lanes = { rows: topics.rows.openLane(), outbox: topics.outbox.openLane() };
  const groups = { clickhouse: topics.rows.joinGroup(), outbox: topics.outbox.joinGroup() };
  const stopping = new AbortController();
  const common = { cell: 'default', clock: world.clock, newId: () => world.newId() };
  const log = new BrokerLog({ ...common, openLane: of => lanes[of], onCommit: () => undefined });
  const readers = new CellLogReaders({
    ...common,
    groups,
    clickhouse: connection,
    outboxLink: link,
    random: () => world.chance(),
    fs: world.disk,
    directory: '/log/default',
    metrics: METRICS,
    log: SILENT,
  });
  void readers.run(stopping.signal);
  const seed = world.random.below(1 << 30);
  return {
    log,
    recent: new RecentIds(createRecentIdsMemory(seed, RECENT_IDS)),
    die() {
      for (const part of [...Object.values(lanes), ...Object.values(groups)]) part.die();
      connection.die();
      link.die();
    },
  };
}

async function liveOn(life: Life, nodes: Node[]): Promise<void> {
  const { world, topics, options } = life;
  const steps = world.random.below(STEPS_MAX);
  for (let step = 0; step < steps; step++) {
    if (step % 10 === 0) pickFaultRates(life);
    const turn = world.random.below(nodes.length);
    const node = nodes[turn]!;
    if (world.chance() < 0.7) send(world, node.log, node.recent);
    if (options.rebalances === true && world.chance() < 0.1) topics.rows.rebalance();
    if (options.rewinds === true && world.chance() < 0.05) topics.rows.rewind();
    if (options.restarts !== undefined && world.chance() < 0.05)
      world.warehouse.restart({ losesParts: options.restarts === 'without its last parts' });
    if (world.chance() < 0.05) {
      node.die();
      nodes[turn] = startNode(life);
    }
    await world.pass(world.random.below(700));
  }
}

function pickFaultRates({ world, topics }: Life): void {
  for (const part of [world.warehouse, world.postgres, topics.rows, topics.outbox])
    part.faultRate = world.random.pick([0, 0.2, 0.6]);
}

/** All faults end. Everything is delivered without an operator, and events are accepted again. */
async function recover({ world, topics }: Life, nodes: readonly Node[]): Promise<void> {
  for (const part of [world.warehouse, world.postgres, topics.rows, topics.outbox])
    part.faultRate = 0;
  const before = world.acknowledged.size;
  let quiet = 0;
  for (let step = 0; step < RECOVERY_STEPS_MAX && quiet < QUIET_STEPS; step++) {
    const node = nodes[step % nodes.length]!;
    if (step < 3 || world.acknowledged.size === before) send(world, node.log, node.recent);
    await world.pass(1_000);
    const isQuiet = step > 3 && topics.rows.isDelivered() && topics.outbox.isDelivered();
    quiet = isQuiet ? quiet + 1 : 0;
  }
  if (world.acknowledged.size === before) world.violations.push('no more events are accepted');
  if (quiet < QUIET_STEPS) world.violations.push('records are left in the log');
}

const RECOVERY_STEPS_MAX = 1_000;
/** Beyond the watch for restarts of the warehouse, and a look at what it may have lost. */
const QUIET_STEPS = 30;
