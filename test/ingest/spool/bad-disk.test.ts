// The disk returns wrong, delayed or no data: the log continues with all other data.

import { crc32 } from 'node:zlib';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { CellPipeline } from '../../../ingest/cell-pipeline.ts';
import { createMetrics } from '../../../ingest/observe/metrics.ts';
import { createBudgetMemory, SpoolBudget } from '../../../ingest/spool/budget.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { UnknownFormat } from '../../../ingest/spool/segment-header.ts';
import type { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { ForgetfulFileSystem } from '../../simulator/forgetful-file-system.ts';
import { SimulatedWarehouse } from '../../simulator/simulated-warehouse.ts';
import { VirtualClock } from '../../simulator/virtual-clock.ts';

const DIRECTORY = '/spool/default/0';
const clock = new VirtualClock();
/** In days since 1970, like partitions. */
const DAY = 20_089;
let ids = 0;

function open(fs: ForgetfulFileSystem, warehouse = new SimulatedWarehouse(() => 1, clock)) {
  return CellPipeline.open({
    cell: 'default',
    directory: DIRECTORY,
    takesFrames: true,
    fs,
    clock,
    random: () => 0.5,
    newId: () => `01900000-0000-7000-8000-${(++ids).toString(16).padStart(12, '0')}`,
    clickhouse: warehouse.connect(),
    outboxLink: { client: undefined },
    budget: new SpoolBudget(createBudgetMemory(), 0, 1e12),
    retainedBytesMax: 1e12,
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
  });
}

/** Appends one row, identified by its event name. */
function append(log: SpoolLog, event: string): Promise<void> {
  log.append(EVENTS_RAW, DAY, [event], writer => {
    for (const { name, type } of EVENTS_RAW.columns.slice(0, -2)) {
      if (type === 'UUID') writer.uuid(new Uint8Array(16));
      else if (type === 'String') writer.text(name === 'event' ? event : '');
      else writer.instantMs(DAY * 86_400_000);
    }
  });
  return log.commit();
}

/** Advances the time until the promise settles. */
async function passing<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const watched = promise.finally(() => {
    isSettled = true;
  });
  while (!isSettled) await pass(100);
  return watched;
}

async function pass(ms: number): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise<void>(resolve => setImmediate(resolve));
  clock.advance(ms);
}

/** Two sealed segments with one event each. */
async function twoSegments(fs: ForgetfulFileSystem): Promise<string[]> {
  // A warehouse that never responds, so the segments stay in the spool.
  const silent = new SimulatedWarehouse(() => 0, clock);
  silent.faultRate = 1;
  for (const event of ['first', 'second']) {
    const pipeline = await passing(open(fs, silent));
    await passing(append(pipeline.writableLog()!, event));
    await passing(pipeline.close(0));
  }
  return fs
    .paths()
    .filter(path => path.endsWith('.segment'))
    .sort();
}

function stored(warehouse: SimulatedWarehouse): unknown[] {
  return warehouse.rows.get('events_raw')!.map(row => row.event);
}

it('an unreadable segment is quarantined completely, and later segments are delivered', async () => {
  const fs = new ForgetfulFileSystem(() => 0.5);
  const [first, second] = await twoSegments(fs);
  const before = fs.file(first!);
  const warehouse = new SimulatedWarehouse(() => 1, clock);
  const opened = open(fs, warehouse);
  fs.fault = (call, path) => (call === 'read' && path === first ? 'EIO' : undefined);
  const pipeline = await passing(opened);
  await passing(pipeline.close(600_000));
  expect(stored(warehouse)).toEqual(['second']);
  const aside = fs.paths().find(path => path.includes('/quarantine/'));
  expect(fs.file(aside!)).toEqual(before);
  expect(fs.paths()).toContain(second);
});

it('a process starts and drains its spool despite a full disk', async () => {
  const fs = new ForgetfulFileSystem(() => 0.5);
  const silent = new SimulatedWarehouse(() => 0, clock);
  silent.faultRate = 1;
  const lost = await passing(open(fs, silent));
  await passing(append(lost.writableLog()!, 'unsealed'));
  const after = fs.crash();
  after.fault = call => (call === 'write' || call === 'create' ? 'ENOSPC' : undefined);
  const warehouse = new SimulatedWarehouse(() => 1, clock);
  const pipeline = await passing(open(after, warehouse));
  while (stored(warehouse).length === 0) await pass(100);
  expect(stored(warehouse)).toEqual(['unsealed']);
  expect(pipeline.writableLog()).toBeUndefined();
  after.fault = () => undefined;
  for (let i = 0; i < 50; i++) {
    pipeline.tick();
    await pass(100);
  }
  await passing(append(pipeline.writableLog()!, 'there is room again'));
  await passing(pipeline.close(600_000));
  expect(stored(warehouse)).toEqual(['unsealed', 'there is room again']);
});

it('a segment that could not be created leaves no file behind', async () => {
  const fs = new ForgetfulFileSystem(() => 0.5);
  const pipeline = await passing(open(fs));
  const segments = () => fs.paths().filter(path => path.endsWith('.segment')).length;
  const before = segments();
  await passing(append(pipeline.writableLog()!, 'fills the segment'));
  fs.fault = call => (call === 'datasync' ? 'EIO' : undefined);
  for (let i = 0; i < 30; i++) {
    pipeline.tick();
    await pass(1_000);
  }
  // Lets the last attempt finish.
  for (let i = 0; i < 5; i++) await pass(0);
  fs.fault = () => undefined;
  expect(segments()).toBeLessThanOrEqual(before);
  await passing(pipeline.close(600_000));
});

it('a segment of a later release prevents the start instead of being discarded', async () => {
  const fs = new ForgetfulFileSystem(() => 0.5);
  const [first] = await twoSegments(fs);
  const file = fs.file(first!)!;
  const json = file.subarray(16, 16 + file.readUInt32LE(8));
  file.writeUInt32LE(2, 4);
  file.writeUInt32LE(crc32(json, crc32(file.subarray(0, 12))), 12);
  const options = {
    fs,
    directory: DIRECTORY,
    headerBytes: 0,
    readSequence: 0,
    onFailure: () => undefined,
  };
  await expect(recoverLog(options)).rejects.toThrow(UnknownFormat);
  expect(fs.paths()).toContain(first);
});

it('consecutive commits all complete', async () => {
  const fs = new ForgetfulFileSystem(() => 0.5);
  const warehouse = new SimulatedWarehouse(() => 1, clock);
  const pipeline = await passing(open(fs, warehouse));
  // The clock stands still, so only the log itself can make these appends complete.
  for (let i = 0; i < 200; i++) await append(pipeline.writableLog()!, `event ${i}`);
  await passing(pipeline.close(600_000));
  expect(stored(warehouse).length).toBe(200);
});
