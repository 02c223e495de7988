// Groups of waiting segments: neighbors that were not tried yet, recorded before the first attempt
// and unchanged afterwards. The file system loses data that was not synced, and the test controls
// the responses of the warehouse.

import { pino } from 'pino';
import { expect, it } from 'vitest';
import { CellPipeline } from '../../../ingest/cell-pipeline.ts';
import { type Block, cutBlocks } from '../../../ingest/insert/block.ts';
import type { ClickHouse, StatementOptions } from '../../../ingest/insert/clickhouse.ts';
import { halveBlock } from '../../../ingest/insert/halve-block.ts';
import { insertBlock } from '../../../ingest/insert/insert-block.ts';
import { createMetrics } from '../../../ingest/observe/metrics.ts';
import { createBudgetMemory, SpoolBudget } from '../../../ingest/spool/budget.ts';
import { readSegment } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { ForgetfulFileSystem } from '../../simulator/forgetful-file-system.ts';
import { SimulatedWarehouse } from '../../simulator/simulated-warehouse.ts';
import { VirtualClock } from '../../simulator/virtual-clock.ts';
import { appendEvent } from '../spool/one-event.ts';

const DIRECTORY = '/spool/default/0';
const AWAY = () => Promise.reject(new Error('ECONNREFUSED'));

type Scene = {
  fs: ForgetfulFileSystem;
  readonly clock: VirtualClock;
  readonly warehouse: SimulatedWarehouse;
  /** The event names of each stored insert. */
  readonly inserts: string[][];
  /** Decides the outcome of an insert. */
  onInsert: (run: () => Promise<string>) => Promise<string>;
  /** Inserts that were sent and will arrive when the test runs them. */
  readonly late: (() => Promise<string>)[];
};

function newScene(): Scene {
  const clock = new VirtualClock();
  return {
    fs: new ForgetfulFileSystem(() => 0.5),
    clock,
    warehouse: new SimulatedWarehouse(() => 1, clock),
    inserts: [],
    onInsert: run => run(),
    late: [],
  };
}

let ids = 0;
const newId = () => `01900000-0000-7000-8000-${(++ids).toString(16).padStart(12, '0')}`;

function clickhouseOf(scene: Scene): ClickHouse {
  const { warehouse, inserts } = scene;
  const insert = async (sql: string, options: StatementOptions) => {
    // Read now: an insert that arrives later must not read from the disk.
    const pieces: Buffer[] = [];
    for await (const piece of options.body!.pieces()) pieces.push(Buffer.from(piece));
    const body = { bytes: options.body!.bytes, pieces: () => pieces };
    return scene.onInsert(async () => {
      const before = stored(scene).length;
      const answer = await warehouse.execute(sql, { ...options, body });
      if (stored(scene).length > before) inserts.push(stored(scene).slice(before));
      return answer;
    });
  };
  return {
    execute: (sql, options = {}) =>
      sql.startsWith('INSERT') ? insert(sql, options) : warehouse.execute(sql, options),
    close: () => undefined,
  };
}

const sendLate = (scene: Scene) => (run: () => Promise<string>) => {
  scene.late.push(run);
  return new Promise<never>(() => undefined);
};

function open(scene: Scene): Promise<CellPipeline> {
  return passing(
    scene,
    CellPipeline.open({
      cell: 'default',
      directory: DIRECTORY,
      takesFrames: true,
      fs: scene.fs,
      clock: scene.clock,
      random: () => Math.random(),
      newId,
      clickhouse: clickhouseOf(scene),
      outboxLink: { client: undefined },
      budget: new SpoolBudget(createBudgetMemory(), 0, 1e12),
      retainedBytesMax: 1e12,
      metrics: createMetrics(),
      log: pino({ level: 'silent' }),
    }),
  );
}

/** Appends each event to its own sealed segment. */
async function appendEach(scene: Scene, pipeline: CellPipeline, events: readonly string[]) {
  for (const event of events) {
    await passing(scene, appendEvent(pipeline.writableLog()!, event));
    await passSeconds(scene, pipeline, 2);
  }
}

async function passSeconds(scene: Scene, pipeline: CellPipeline, seconds: number): Promise<void> {
  for (let tick = 0; tick < seconds * 10; tick++) {
    await pass(scene, 100);
    pipeline.tick();
  }
}

async function passing<T>(scene: Scene, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const watched = promise.finally(() => {
    isSettled = true;
  });
  while (!isSettled) await pass(scene, 100);
  return watched;
}

async function pass({ clock }: Scene, ms: number): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise<void>(resolve => setImmediate(resolve));
  clock.advance(ms);
}

const drain = (scene: Scene, pipeline: CellPipeline) => passing(scene, pipeline.close(600_000));
const stored = ({ warehouse }: Scene) =>
  warehouse.rows.get('events_raw')!.map(row => String(row.event));
const markers = ({ fs }: Scene) => fs.paths().filter(path => path.endsWith('.group'));

/** The first insert is in progress, and the other segments wait behind it. */
async function openWithWaiting(scene: Scene, events: readonly string[]): Promise<CellPipeline> {
  scene.onInsert = AWAY;
  const pipeline = await open(scene);
  await appendEach(scene, pipeline, events);
  return pipeline;
}

it('waiting segments are inserted together, and a segment that was tried before is inserted alone', async () => {
  const scene = newScene();
  const pipeline = await openWithWaiting(scene, ['a', 'b', 'c', 'd', 'e']);
  scene.onInsert = run => run();
  await drain(scene, pipeline);
  expect(scene.inserts).toEqual([['a'], ['b', 'c', 'd', 'e']]);
});

it('if only one segment is waiting, it is inserted alone without a marker', async () => {
  const scene = newScene();
  const pipeline = await open(scene);
  await appendEach(scene, pipeline, ['a', 'b', 'c']);
  await drain(scene, pipeline);
  expect(scene.inserts).toEqual([['a'], ['b'], ['c']]);
  expect(markers(scene)).toEqual([]);
});

it('a group is durable before its first attempt: after a power loss it is the same, and its late copy is dropped', async () => {
  const scene = newScene();
  const lost = await openWithWaiting(scene, ['a', 'b', 'c', 'd']);
  // The first segment is stored; the group is still in the network when the power fails.
  scene.onInsert = run => (stored(scene).includes('a') ? sendLate(scene)(run) : run());
  while (scene.late.length === 0) await pass(scene, 100);
  scene.fs = scene.fs.crash();
  scene.onInsert = run => run();
  const pipeline = await open(scene);
  await appendEach(scene, pipeline, ['e']);
  await drain(scene, pipeline);
  for (const arrive of scene.late) await passing(scene, arrive());
  expect(stored(scene).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(scene.inserts).toContainEqual(['b', 'c', 'd']);
  void lost;
});

it('a segment that was tried alone before a restart is not grouped with later ones', async () => {
  const scene = newScene();
  // The insert is stored, but its response is lost.
  const lost = await openWithWaiting(scene, []);
  scene.onInsert = async run => {
    await run();
    return AWAY();
  };
  await appendEach(scene, lost, ['a']);
  scene.onInsert = AWAY;
  await appendEach(scene, lost, ['b', 'c', 'd']);
  scene.fs = scene.fs.crash();
  scene.onInsert = run => run();
  await drain(scene, await open(scene));
  expect(stored(scene)).toEqual(['a', 'b', 'c', 'd']);
});

it('a cursor that is lost causes neither loss nor duplication', async () => {
  const scene = newScene();
  const before = await open(scene);
  await appendEach(scene, before, ['a', 'b', 'c']);
  scene.onInsert = AWAY;
  await appendEach(scene, before, ['d', 'e', 'f']);
  await passing(scene, before.close(0));
  await passing(scene, scene.fs.unlink(`${DIRECTORY}/clickhouse.cursor`));
  scene.onInsert = run => run();
  await drain(scene, await open(scene));
  expect(stored(scene)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(scene.inserts.at(-1)).toEqual(['d', 'e', 'f']);
});

it('an unreadable segment of a group does not delay the others, and only it is quarantined', async () => {
  const scene = newScene();
  const pipeline = await openWithWaiting(scene, ['a', 'b', 'c', 'd']);
  const third = scene.fs.paths().find(path => path.endsWith('3.segment'))!;
  scene.fs.fault = (call, path) => (call === 'read' && path === third ? 'EIO' : undefined);
  scene.onInsert = run => run();
  while (stored(scene).length < 3) await passSeconds(scene, pipeline, 1);
  await drain(scene, pipeline);
  expect(stored(scene)).toEqual(['a', 'b', 'd']);
  const aside = scene.fs.paths().filter(path => path.includes('/quarantine/'));
  expect(aside).toEqual([expect.stringContaining('3.segment')]);
});

it('markers are removed with their segments', async () => {
  const scene = newScene();
  const pipeline = await openWithWaiting(scene, ['a', 'b', 'c']);
  scene.onInsert = run => run();
  await drain(scene, pipeline);
  expect(markers(scene)).toHaveLength(1);
  for (const path of scene.fs.paths().filter(name => name.endsWith('.segment')))
    await passing(scene, scene.fs.unlink(path));
  await drain(scene, await open(scene));
  expect(markers(scene)).toEqual([]);
});

/** A group of two segments with one event each. */
async function groupOfTwo(scene: Scene): Promise<Block> {
  const pipeline = await openWithWaiting(scene, ['a', 'b']);
  await passing(scene, pipeline.close(0));
  const { fs } = scene;
  const recovery = recoverLog({
    fs,
    directory: DIRECTORY,
    headerBytes: 0,
    readSequence: 0,
    onFailure: () => undefined,
  });
  const { segments } = await passing(scene, recovery);
  const read = Promise.all(segments.map(one => readSegment(fs, DIRECTORY, one, () => undefined)));
  const contents = await passing(scene, read);
  return cutBlocks(contents.map(found => found!))[0]!;
}

it('the number of stored rows is asked over the whole group', async () => {
  const scene = newScene();
  const block = await groupOfTwo(scene);
  expect(block).toMatchObject({ rows: 2, firstRow: 0, lastRow: 0 });
  const deps = {
    clickhouse: clickhouseOf(scene),
    clock: scene.clock,
    random: () => 0.5,
    signal: new AbortController().signal,
    beforeParts: () => Promise.resolve(),
    park: () => Promise.reject(new Error('nothing is refused')),
    onInserted: () => undefined,
    onPresent: () => undefined,
    onFailure: (_: Block, error: unknown) => {
      throw error;
    },
  };
  const [, second] = await halveBlock(block);
  scene.onInsert = run => run();
  // The part with the second segment's rows is stored; the one with the first's was lost.
  expect(await passing(scene, insertBlock(deps, second, 'maybe in parts'))).toBe(true);
  expect(stored(scene)).toEqual(['b']);
  expect(await passing(scene, insertBlock(deps, block, 'maybe in parts'))).toBe(true);
  expect(stored(scene)).toEqual(['b', 'a']);
  expect(await passing(scene, insertBlock(deps, block, 'maybe tried'))).toBe(true);
  expect(stored(scene)).toEqual(['b', 'a']);
});
