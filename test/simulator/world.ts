// The parts of a simulated life, derived from one seed: the clock, the disk, the warehouse,
// Postgres, and the requests and responses of clients.

import { pino } from 'pino';
import type { Account } from '../../ingest/authenticate/directory.ts';
import { CellPipeline } from '../../ingest/cell-pipeline.ts';
import { createMetrics } from '../../ingest/observe/metrics.ts';
import { createBudgetMemory, SpoolBudget } from '../../ingest/spool/budget.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import { createRandom, type Random } from '../harness/random.ts';
import { ForgetfulFileSystem, type Protections } from './forgetful-file-system.ts';
import { SimulatedPostgres } from './simulated-postgres.ts';
import { SimulatedWarehouse, type WarehouseProtections } from './simulated-warehouse.ts';
import { VirtualClock } from './virtual-clock.ts';

export type SimulationOptions = {
  readonly disk?: Protections;
  readonly warehouse?: WarehouseProtections;
  readonly hasDiskFaults?: boolean;
  /** The disk fills up at random moments, until space is freed. */
  readonly fillsUp?: boolean;
  /** The number of the disk call that fails, counted from the start of the life. */
  readonly failingCall?: number;
  /** All later calls fail too, until the machine is restarted. */
  readonly failsFromThere?: boolean;
  readonly hasPoison?: boolean;
  readonly forgetsTokens?: boolean;
  readonly logsTokensEarly?: boolean;
  /** ClickHouse is restarted now and then and forgets its tokens. */
  readonly restarts?: 'whole' | 'without its last parts';
  /** The maximum duration of an insert; waiting segments are then inserted together. */
  readonly slowestInsertMs?: number;
  /** Now and then one or both databases are unavailable, for seconds or hours. */
  readonly outages?: boolean;
  readonly roundsMax?: number;
  readonly stepsMax?: number;
};

export type Kind = 'good' | 'invalid' | 'poison' | 'report';

export type Sent = {
  readonly kind: Kind;
  /** The event as it was sent. */
  readonly text: string;
  readonly properties: string;
  /** The traits of an identify event; '' for other events. */
  readonly traits: string;
};

export const POISON = 'poison';
const BUDGET_BYTES = 1e12;
/** Shared, because a registry costs more than a whole life; nothing here reads the metrics. */
const METRICS = createMetrics();
const SILENT = pino({ level: 'silent' });

export class World {
  readonly random: Random;
  readonly clock = new VirtualClock();
  readonly warehouse: SimulatedWarehouse;
  readonly postgres: SimulatedPostgres;
  readonly options: SimulationOptions;
  readonly sent = new Map<string, Sent>();
  /** The number of times an ID was sent: a client repeats unanswered requests. */
  readonly sends = new Map<string, number>();
  readonly acknowledged = new Set<string>();
  /** Requests without a success response, to be sent again. */
  readonly unanswered: Buffer[] = [];
  /** Violations noticed during the life; others are found at the end. */
  readonly violations: string[] = [];
  disk: ForgetfulFileSystem;
  diskCalls = 0;
  connection: ReturnType<SimulatedWarehouse['connect']>;
  link: ReturnType<SimulatedPostgres['connect']>;
  private ids = 0;

  constructor(seed: number, options: SimulationOptions) {
    this.random = createRandom(seed);
    this.options = options;
    const chance = () => this.chance();
    this.disk = new ForgetfulFileSystem(chance, options.disk);
    this.warehouse = new SimulatedWarehouse(chance, this.clock, options.warehouse);
    this.warehouse.forgetsTokens = options.forgetsTokens === true;
    this.warehouse.logsTokensEarly = options.logsTokensEarly === true;
    this.warehouse.slowestInsertMs = options.slowestInsertMs ?? 0;
    this.postgres = new SimulatedPostgres(chance, this.clock);
    this.connection = this.warehouse.connect();
    this.link = this.postgres.connect();
    if (options.hasPoison) this.warehouse.poison = POISON;
  }

  chance(): number {
    return this.random.below(1 << 30) / (1 << 30);
  }

  /** A UUIDv7-shaped ID that depends only on the seed. */
  newId(): string {
    const count = (++this.ids).toString(16).padStart(12, '0');
    return `01900000-0000-7000-8000-${count}`;
  }

  /** Starts a process. */
  open(): Promise<CellPipeline> {
    this.connection = this.warehouse.connect();
    this.link = this.postgres.connect();
    // A warehouse that loses parts requires kept segments; otherwise some lives unlink them
    // immediately.
    const keepsAll = this.options.restarts === 'without its last parts' || this.chance() < 0.5;
    return CellPipeline.open({
      cell: 'default',
      directory: '/spool/default/0',
      takesFrames: true,
      fs: this.disk,
      clock: this.clock,
      random: () => this.chance(),
      newId: () => this.newId(),
      clickhouse: this.connection,
      outboxLink: this.link,
      budget: new SpoolBudget(createBudgetMemory(), 0, BUDGET_BYTES),
      retainedBytesMax: keepsAll ? BUDGET_BYTES : 0,
      metrics: METRICS,
      log: SILENT,
    });
  }

  /** A power failure: everything in memory and everything not synced is lost. */
  crash(): void {
    this.disk = this.disk.crash();
    this.connection.die();
    this.link.die();
  }

  /** Enables this world's disk faults until `heal`. */
  ail(): void {
    const { hasDiskFaults, failingCall, failsFromThere } = this.options;
    this.disk.fault = call => {
      this.diskCalls++;
      if (failingCall !== undefined) {
        const isIt = failsFromThere
          ? this.diskCalls >= failingCall
          : this.diskCalls === failingCall;
        return isIt ? (failingCall % 2 === 0 ? 'EIO' : 'ENOSPC') : undefined;
      }
      if (hasDiskFaults !== true || !MAY_FAIL.has(call)) return undefined;
      return this.chance() < 0.03 ? this.random.pick(['EIO', 'ENOSPC'] as const) : undefined;
    };
  }

  heal(): void {
    this.disk.fault = () => undefined;
    this.disk.capacityBytes = Number.POSITIVE_INFINITY;
  }

  /** Runs some turns of the event loop, then advances the clock. */
  async pass(ms: number): Promise<void> {
    await turns(1 + this.random.below(4));
    this.clock.advance(ms);
  }

  /** Advances the time until the promise settles. */
  async progress<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const watched = promise.finally(() => {
      isSettled = true;
    });
    // Awaited only after time has passed; until then, a failure would be an unhandled rejection.
    watched.catch(() => undefined);
    for (let step = 0; !isSettled && step < DRAIN_STEPS_MAX; step++) await this.pass(100);
    if (!isSettled) throw new Error('The log never becomes idle.');
    return watched;
  }
}

/**
 * Excludes reads: one that fails permanently loses a segment, which is not what these lives test.
 */
const MAY_FAIL: ReadonlySet<string> = new Set([
  'create',
  'write',
  'datasync',
  'truncate',
  'rename',
  'unlink',
  'syncDirectory',
]);
const DRAIN_STEPS_MAX = 20_000;

export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>(resolve => setImmediate(resolve));
}

const ID = '01900000-0000-7000-8000-ffffffffffff';
export const ACCOUNT = {
  keyId: ID,
  keyIdBytes: uuidToRowBinary(ID),
  workspaceId: ID,
  isCompatible: false,
  workspaceIdBytes: uuidToRowBinary(ID),
  organizationId: ID,
  cell: { slug: 'default', isEnabled: true },
  propertyIds: new Set<string>(),
  origins: { allowsAll: true, exact: new Set(), wildcards: new Set() },
  limits: [],
} satisfies Account;
