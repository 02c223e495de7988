// One seeded life of a log and everything behind it: batches arrive, time passes, the disk, the
// warehouse and Postgres fail, the machine loses power and starts again. At the end all faults
// stop, the log is drained, and the stored data is compared with what was acknowledged.

import { createRecentIdsMemory, RecentIds } from '../../ingest/accept/recent-ids.ts';
import type { CellPipeline } from '../../ingest/cell-pipeline.ts';
import { findViolations } from './find-violations.ts';
import { liveThroughOutage } from './outage.ts';
import { send } from './traffic.ts';
import { type SimulationOptions, turns, World } from './world.ts';

const ROUNDS_MAX = 4;
const STEPS_MAX = 40;
/** Small: a table with room for all IDs would hide the effects of forgetting them. */
const RECENT_IDS = 1 << 8;

export type Life = {
  /** The violated invariants; empty if there are none. */
  readonly violations: readonly string[];
  /** The number of calls to the disk while it could fail. */
  readonly diskCalls: number;
  /** The number of inserts with rows of several segments. */
  readonly groupInserts: number;
};

/** Runs the life of this seed and returns the violations. */
export async function simulate(
  seed: number,
  options: SimulationOptions = {},
): Promise<readonly string[]> {
  return (await live(seed, options)).violations;
}

export async function live(seed: number, options: SimulationOptions): Promise<Life> {
  const world = new World(seed, options);
  const rounds = 1 + world.random.below(options.roundsMax ?? ROUNDS_MAX);
  for (let round = 1; round < rounds; round++) await liveAndCrash(world);
  // Sometimes the last process is not killed: the repairs of a restart could hide an error.
  const isSpared = options.failingCall === undefined && world.chance() < 0.4;
  const spared = isSpared ? await liveOn(world) : await liveAndCrash(world);
  await recover(world, spared);
  const { diskCalls, warehouse } = world;
  return { violations: findViolations(world), diskCalls, groupInserts: warehouse.groupInserts };
}

async function liveOn(world: World): Promise<CellPipeline> {
  pickFaultRates(world);
  const pipeline = await world.progress(world.open());
  world.ail();
  await serve(world, pipeline, false);
  world.heal();
  return pipeline;
}

async function liveAndCrash(world: World): Promise<undefined> {
  pickFaultRates(world);
  const isNth = world.options.failingCall !== undefined;
  if (isNth) world.ail();
  let pipeline: CellPipeline | undefined;
  try {
    pipeline = await world.progress(world.open());
    world.ail();
    const isQuiet = world.chance() < 0.2;
    await serve(world, pipeline, isQuiet);
    if (!isNth) world.heal();
    if (world.chance() < (isQuiet ? 0.6 : 0.2)) await world.progress(pipeline.close(2_000));
  } catch (error) {
    // A process that cannot start or stop properly exits, and its supervisor starts another.
    if (!isNth || !isOfDisk(error)) throw error;
  }
  world.heal();
  world.crash();
  // Responses that were sent before the power failed are acknowledgements too.
  await turns(5);
}

function pickFaultRates(world: World): void {
  world.warehouse.faultRate = world.random.pick([0, 0.2, 0.8]);
  world.postgres.faultRate = world.random.pick([0, 0.2, 0.8]);
}

/** In a quiet period nothing is sent, so all delivered segments may be removed. */
async function serve(world: World, pipeline: CellPipeline, isQuiet: boolean): Promise<void> {
  const seed = world.random.below(1 << 30);
  const recent = new RecentIds(createRecentIdsMemory(seed, RECENT_IDS));
  const steps = world.random.below(world.options.stepsMax ?? STEPS_MAX);
  for (let step = 0; step < steps; step++) {
    if (!isQuiet && world.chance() < 0.7) send(world, pipeline, recent);
    if (world.options.fillsUp === true && world.chance() < 0.15) fillOrEmpty(world);
    if (world.options.restarts !== undefined && world.chance() < 0.08) restartWarehouse(world);
    if (world.options.outages === true && world.chance() < 0.04)
      await liveThroughOutage(world, pipeline, recent);
    await world.pass(world.random.below(700));
    pipeline.tick();
  }
}

const FREE_BYTES_MAX = 3_000;

function fillOrEmpty({ disk, random }: World): void {
  const isFull = disk.capacityBytes !== Number.POSITIVE_INFINITY;
  disk.capacityBytes = isFull
    ? Number.POSITIVE_INFINITY
    : disk.usedBytes() + random.below(FREE_BYTES_MAX);
}

function restartWarehouse({ warehouse, options }: World): void {
  warehouse.restart({ losesParts: options.restarts === 'without its last parts' });
}

/** All faults end. The process recovers on its own and accepts events again. */
async function recover(world: World, spared: CellPipeline | undefined): Promise<void> {
  world.warehouse.faultRate = 0;
  world.postgres.faultRate = 0;
  const pipeline = spared ?? (await world.progress(world.open()));
  const recent = new RecentIds(createRecentIdsMemory(1, RECENT_IDS));
  const before = world.acknowledged.size;
  for (let step = 0; step < RECOVERY_STEPS; step++) {
    if (step < 3 || world.acknowledged.size === before) send(world, pipeline, recent);
    await world.pass(1_000);
    pipeline.tick();
  }
  await untilQuiet(world);
  if (world.acknowledged.size === before) world.violations.push('no more events are accepted');
  await world.progress(pipeline.close(Number.MAX_SAFE_INTEGER));
  if (pipeline.stats().unsentBytes > 0) world.violations.push('rows are left in the spool');
  for (let step = 0; step < 20; step++) await world.pass(1_000);
}

const RECOVERY_STEPS = 12;
/**
 * The inserter checks every five seconds whether the warehouse was restarted, and waits for up to
 * fifteen.
 */
const QUIET_STEPS = 6;
const QUIET_STEP_MS = 3_000;
const QUIET_STEPS_MAX = 2_000;

/** Waits until the inserter has queried everything that the warehouse may have lost. */
async function untilQuiet(world: World): Promise<void> {
  let done = -1;
  let quiet = 0;
  for (let step = 0; step < QUIET_STEPS_MAX; step++) {
    // Reading a group takes many turns of the event loop before its rows are queried.
    const now = world.warehouse.asked + world.disk.calls;
    quiet = now === done ? quiet + 1 : 0;
    if (quiet === QUIET_STEPS) return;
    done = now;
    await world.pass(QUIET_STEP_MS);
  }
  world.violations.push('the warehouse is queried forever');
}

function isOfDisk(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EIO' || code === 'ENOSPC';
}
