// One seeded life of a log with everything behind it: batches come in, time passes, the disk and
// the warehouse misbehave, the machine loses power, it starts again. At the end all faults stop,
// the log is emptied, and what the warehouse holds is compared with what was acknowledged.

import { pino } from 'pino';
import { acceptBatch } from '../../ingest/accept/accept-batch.ts';
import { parseBatch } from '../../ingest/accept/parse-batch.ts';
import { createRecentIdsMemory, RecentIds } from '../../ingest/accept/recent-ids.ts';
import type { Account } from '../../ingest/authenticate/directory.ts';
import { CellPipeline } from '../../ingest/cell-pipeline.ts';
import { createMetrics } from '../../ingest/observe/metrics.ts';
import { createBudgetMemory, SpoolBudget } from '../../ingest/spool/budget.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import { createRandom, type Random } from '../harness/random.ts';
import { ForgetfulFileSystem, type Protections } from './forgetful-file-system.ts';
import { SimulatedWarehouse, type WarehouseProtections } from './simulated-warehouse.ts';
import { VirtualClock } from './virtual-clock.ts';

export type SimulationOptions = {
  readonly disk?: Protections;
  readonly warehouse?: WarehouseProtections;
  readonly hasDiskFaults?: boolean;
  readonly hasPoison?: boolean;
  readonly forgetsTokens?: boolean;
  readonly logsTokensEarly?: boolean;
};

/** What broke which promise; empty when all were kept. */
export type Violations = string[];

const ROUNDS_MAX = 4;
const STEPS_MAX = 40;
const EVENTS_MAX = 6;
const POISON = 'poison';
const DRAIN_STEPS_MAX = 5_000;
const BUDGET_BYTES = 1e12;

type Sent = { readonly properties: string; readonly kind: 'good' | 'invalid' | 'poison' };

class World {
  readonly random: Random;
  readonly clock = new VirtualClock();
  readonly warehouse: SimulatedWarehouse;
  readonly sent = new Map<string, Sent>();
  readonly acknowledged = new Set<string>();
  readonly options: SimulationOptions;
  disk: ForgetfulFileSystem;
  connection: ReturnType<SimulatedWarehouse['connect']>;
  private ids = 0;

  constructor(seed: number, options: SimulationOptions) {
    this.random = createRandom(seed);
    this.options = options;
    this.disk = new ForgetfulFileSystem(() => this.chance(), options.disk);
    this.warehouse = new SimulatedWarehouse(() => this.chance(), this.clock, options.warehouse);
    this.warehouse.forgetsTokens = options.forgetsTokens === true;
    this.warehouse.logsTokensEarly = options.logsTokensEarly === true;
    this.connection = this.warehouse.connect();
    if (options.hasPoison) this.warehouse.poison = POISON;
  }

  chance(): number {
    return this.random.below(1 << 30) / (1 << 30);
  }

  /** A UUIDv7-shaped id that depends on the seed only. */
  newId(): string {
    const count = (++this.ids).toString(16).padStart(12, '0');
    return `01900000-0000-7000-8000-${count}`;
  }

  open(): Promise<CellPipeline> {
    this.connection = this.warehouse.connect();
    return CellPipeline.open({
      cell: 'default',
      directory: '/spool/default/0',
      takesFrames: true,
      fs: this.disk,
      clock: this.clock,
      random: () => this.chance(),
      newId: () => this.newId(),
      clickhouse: this.connection,
      outboxLink: { client: undefined, drop: () => undefined },
      budget: new SpoolBudget(createBudgetMemory(), 0, BUDGET_BYTES),
      retainedBytesMax: BUDGET_BYTES,
      metrics: createMetrics(),
      log: pino({ level: 'silent' }),
    });
  }
}

/** Runs the life of this seed and says what it broke. */
export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Violations> {
  const world = new World(seed, options);
  const rounds = 1 + world.random.below(ROUNDS_MAX);
  for (let round = 0; round < rounds; round++) await liveAndCrash(world);
  world.warehouse.faultRate = 0;
  const pipeline = await progress(world, world.open());
  await progress(world, pipeline.close(Number.MAX_SAFE_INTEGER));
  for (let step = 0; step < 20; step++) await pass(world, 1_000);
  return violations(world);
}

async function liveAndCrash(world: World): Promise<void> {
  world.warehouse.faultRate = world.random.pick([0, 0.2, 0.8]);
  const pipeline = await progress(world, world.open());
  if (world.options.hasDiskFaults)
    world.disk.fault = call =>
      call !== 'read' && world.chance() < 0.03
        ? world.random.pick(['EIO', 'ENOSPC'] as const)
        : undefined;
  const recent = new RecentIds(createRecentIdsMemory(world.random.below(1 << 30), 1 << 12));
  const steps = world.random.below(STEPS_MAX);
  for (let step = 0; step < steps; step++) {
    if (world.chance() < 0.7) send(world, pipeline, recent);
    await pass(world, world.random.below(700));
    pipeline.tick();
  }
  world.disk.fault = () => undefined;
  if (world.chance() < 0.2) await progress(world, pipeline.close(2_000));
  world.disk = world.disk.crash();
  world.connection.die();
  // Answers that had left before the power went are acknowledgements too.
  await turns(5);
}

function send(world: World, pipeline: CellPipeline, recent: RecentIds): void {
  const log = pipeline.writableLog();
  if (log === undefined) return;
  const ids = Array.from({ length: 1 + world.random.below(EVENTS_MAX) }, () => world.newId());
  const body = Buffer.from(JSON.stringify(batchOf(world, ids)));
  const batch = parseBatch(body);
  if ('code' in batch) throw new Error(batch.message);
  const sender = {
    account: ACCOUNT,
    propertyIdBytes: new Uint8Array(16),
    receivedAtMs: world.clock.nowMs(),
  };
  acceptBatch(log, recent, batch, sender).then(
    () => {
      for (const id of ids) world.acknowledged.add(id);
    },
    () => undefined,
  );
}

function batchOf(world: World, ids: readonly string[]) {
  const batch = ids.map(messageId => {
    const luck = world.chance();
    const isPoison = world.options.hasPoison === true && luck < 0.1;
    const kind = isPoison ? 'poison' : luck > 0.9 ? 'invalid' : 'good';
    const properties = { n: world.random.below(1e9) };
    world.sent.set(messageId, { properties: JSON.stringify(properties), kind });
    const year = world.random.pick([2024, 2025, 2025, 2025]);
    return {
      type: kind === 'invalid' ? 'nonsense' : 'track',
      event: isPoison ? POISON : 'tick',
      messageId,
      anonymousId: 'a',
      sessionId: 's',
      timestamp: `${year}-05-05T00:00:00.000Z`,
      properties,
    };
  });
  return { writeKey: 'k', sentAt: '2025-05-05T00:00:00.000Z', batch };
}

function violations(world: World): Violations {
  const found: Violations = [];
  const stored = new Map<string, string[]>();
  const note = (id: string, properties: string) =>
    stored.set(id, [...(stored.get(id) ?? []), properties]);
  for (const row of world.warehouse.rows.get('events_raw')!)
    note(String(row.message_id), String(row.properties));
  for (const row of world.warehouse.rows.get('rejected_events_raw')!)
    note(String(row.message_id), propertiesOf(JSON.parse(String(row.body)).properties));
  for (const [id, copies] of stored) {
    const sent = world.sent.get(id);
    if (sent === undefined) found.push(`${id} was never sent`);
    else if (copies.some(copy => copy !== sent.properties)) found.push(`${id} has other values`);
    if (copies.length > 1) found.push(`${id} is there ${copies.length} times`);
  }
  for (const id of world.acknowledged) if (!stored.has(id)) found.push(`${id} is lost`);
  const poisoned = world.warehouse.rows.get('events_raw')!.filter(row => row.event === POISON);
  if (poisoned.length > 0) found.push('a refused row is in the table');
  return found;
}

/** In a refused event as sent it is an object, in a parked row the text of its column. */
function propertiesOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Lets time pass until the promise settles. */
async function progress<T>(world: World, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const watched = promise.finally(() => {
    isSettled = true;
  });
  for (let step = 0; !isSettled && step < DRAIN_STEPS_MAX; step++) await pass(world, 100);
  if (!isSettled) throw new Error('The log does not come to rest.');
  return watched;
}

async function pass(world: World, ms: number): Promise<void> {
  await turns(1 + world.random.below(4));
  world.clock.advance(ms);
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>(resolve => setImmediate(resolve));
}

const ID = '01900000-0000-7000-8000-ffffffffffff';
const ACCOUNT = {
  keyId: ID,
  keyIdBytes: uuidToRowBinary(ID),
  workspaceId: ID,
  workspaceIdBytes: uuidToRowBinary(ID),
  organizationId: ID,
  cell: { slug: 'default', isEnabled: true },
  propertyIds: new Set<string>(),
  origins: { allowsAll: true, exact: new Set(), wildcards: new Set() },
  limits: [],
} satisfies Account;
