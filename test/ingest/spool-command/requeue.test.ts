// Requeueing delivers all intact data once, under the ID of its segment; damaged data stays in
// quarantine. The command can be killed at any point without losing data.

import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInParts, readMarkers } from '../../../ingest/insert/markers.ts';
import { saveCursor } from '../../../ingest/spool/cursor.ts';
import { type FileSystem, nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import { ROWS } from '../../../ingest/spool/frame.ts';
import { readSegment } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { checksumSeed, decodeSegmentHeader } from '../../../ingest/spool/segment-header.ts';
import { isRequeued } from '../../../ingest/spool/spool-folders.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { requeue } from '../../../ingest/spool-command/requeue.ts';
import { verifySpool } from '../../../ingest/spool-command/verify.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { createRandom } from '../../harness/random.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { scanBytes } from '../../harness/scan-bytes.ts';
import { appendEvent, eventsOf } from '../spool/one-event.ts';
import { Died, dyingAt } from './dying-file-system.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const EVENTS = ['a', 'b', 'c', 'd'];
const ID = '01900000-0000-7000-8000-000000000001';
const NAME = '000000000001.segment';

let root: string;
/** A sealed segment with one frame per event. */
let whole: Buffer;
let headerEnd: number;
let frames: readonly { start: number; end: number }[];

beforeAll(async () => {
  root = await mkdtemp('/dev/shm/spool-').catch(() => newDirectory('requeue'));
  whole = await segmentOf(EVENTS);
  headerEnd = decodeSegmentHeader(whole)!.end;
  frames = await framesOf(whole);
});
afterAll(() => rm(root, { recursive: true }));

/** A sealed segment with one frame per event. */
async function segmentOf(events: readonly string[]): Promise<Buffer> {
  const directory = await mkdtemp(join(root, 'log-'));
  const log = await SpoolLog.open({
    fs,
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
    directory,
    tables: [EVENTS_RAW],
    firstSequence: 1,
    newId: () => ID,
    onSealed: () => undefined,
    onCommit: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  for (const event of events) await appendEvent(log, event);
  await log.close();
  return readFile(join(directory, NAME));
}

async function framesOf(segment: Buffer) {
  const { header, end } = decodeSegmentHeader(segment)!;
  const scan = await scanBytes(segment, end, checksumSeed(header.id));
  return scan.frames.filter(({ kind }) => kind === ROWS);
}

type Spool = { readonly spool: string; readonly quarantine: string; readonly log: string };

async function newSpool(quarantined: Record<string, Buffer>): Promise<Spool> {
  const spool = await mkdtemp(join(root, 'spool-'));
  const log = join(spool, 'default', '0');
  const quarantine = join(log, 'quarantine');
  await mkdir(quarantine, { recursive: true });
  for (const [name, bytes] of Object.entries(quarantined))
    await writeFile(join(quarantine, name), bytes);
  return { spool, quarantine, log };
}

let ids = 0;
function newId(): string {
  return `01900000-0000-7000-8000-${(++ids).toString(16).padStart(12, '0')}`;
}

function run(spool: string, files: FileSystem = fs, names: readonly string[] = []) {
  return requeue({ fs: files, spool, names, newId });
}

/** The events that the node finds in the requeued logs, by log. */
async function handedOver(spool: string): Promise<string[][]> {
  const logs = (await readdir(join(spool, 'default'))).filter(isRequeued);
  return Promise.all(logs.map(log => eventsIn(join(spool, 'default', log))));
}

async function eventsIn(directory: string): Promise<string[]> {
  const options = { fs, directory, headerBytes: 0, readSequence: 0, onFailure: () => undefined };
  const { segments, tornBytes } = await recoverLog(options);
  expect(tornBytes).toBe(0);
  const events: string[] = [];
  for (const segment of segments) {
    const markers = await readMarkers(fs, directory);
    const isCounted = isInParts(markers, segment.sequence);
    expect(isCounted, 'what is there already is counted').toBe(true);
    const contents = await readSegment(fs, directory, segment, damage => {
      throw new Error(`damaged: ${JSON.stringify(damage)}`);
    });
    expect(contents!.header.id).toBe(ID);
    events.push(...(await eventsOf(contents!)));
  }
  return events;
}

it('an intact segment that an outage quarantined is restored completely', async () => {
  const { spool, quarantine } = await newSpool({ [NAME]: whole });
  expect(await run(spool)).toEqual([
    { file: `default/0/${NAME}`, outcome: 'requeued', rows: EVENTS.length, bytesLeft: 0 },
  ]);
  expect(await handedOver(spool)).toEqual([EVENTS]);
  expect(await readdir(quarantine)).toEqual([]);
  expect(await run(spool), 'once').toEqual([]);
});

it('only the named files are requeued', async () => {
  const other = '000000000002.segment';
  const { spool, quarantine } = await newSpool({ [NAME]: whole, [other]: whole });
  expect(await run(spool, fs, [`default/0/${NAME}`])).toHaveLength(1);
  expect(await readdir(quarantine)).toEqual([other]);
});

describe('a segment whose header is damaged', () => {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
  const random = createRandom(seed);

  it('at any byte: every row is restored', async () => {
    const step = IS_LONG ? 1 : 11;
    for (let position = random.below(step); position < headerEnd; position += step) {
      const damaged = Buffer.from(whole);
      damaged[position]! ^= 1 + random.below(255);
      // Quarantined as a whole segment, like earlier releases did.
      const { spool, quarantine } = await newSpool({ [`${NAME}.0-${whole.length}`]: damaged });
      await run(spool);
      expect(await handedOver(spool), `byte ${position}, seed ${seed}`).toEqual([EVENTS]);
      expect(await readdir(quarantine)).toEqual([]);
      await rm(spool, { recursive: true });
    }
  });

  it('completely: every row is restored', async () => {
    const damaged = Buffer.from(whole).fill(0, 0, headerEnd);
    const { spool } = await newSpool({ [NAME]: damaged });
    await run(spool);
    expect(await handedOver(spool)).toEqual([EVENTS]);
  });
});

it('in a segment with a damaged frame, the other frames are restored, and that frame stays', async () => {
  const damaged = Buffer.from(whole);
  const { start, end } = frames[1]!;
  damaged[end - 30]! ^= 1;
  const { spool, quarantine } = await newSpool({ [NAME]: damaged });
  const [result] = await run(spool);
  expect(result).toMatchObject({ outcome: 'requeued', rows: 3, bytesLeft: end - start });
  expect(await handedOver(spool)).toEqual([['a', 'c', 'd']]);
  const left = `${NAME}.${start}-${end}`;
  expect(await readdir(quarantine)).toEqual([left]);
  expect(await readFile(join(quarantine, left))).toEqual(damaged.subarray(start, end));
  expect(await run(spool)).toEqual([
    { file: `default/0/${left}`, outcome: 'nothing whole', rows: 0, bytesLeft: end - start },
  ]);
  expect(await readdir(quarantine)).toEqual([left]);
});

it('in a quarantined part of a segment, the intact frames are restored, and the rest stays under its own position', async () => {
  const { start } = frames[1]!;
  const { end } = frames[2]!;
  const damaged = Buffer.from(whole);
  damaged[frames[1]!.end - 30]! ^= 1;
  const copy = damaged.subarray(start, end);
  const { spool, quarantine } = await newSpool({ [`${NAME}.${start}-${end}`]: copy });
  expect(await run(spool)).toMatchObject([{ outcome: 'requeued', rows: 1 }]);
  expect(await handedOver(spool)).toEqual([['c']]);
  expect(await readdir(quarantine)).toEqual([`${NAME}.${start}-${frames[1]!.end}`]);
});

it('a torn end of a segment stays in quarantine, and the intact frames before it are restored', async () => {
  const { spool, quarantine } = await newSpool({ [NAME]: whole });
  await truncate(join(quarantine, NAME), frames[3]!.end - 5);
  expect(await run(spool)).toMatchObject([{ outcome: 'requeued', rows: 3 }]);
  expect(await handedOver(spool)).toEqual([['a', 'b', 'c']]);
  expect(await readdir(quarantine)).toEqual([`${NAME}.${frames[3]!.start}-${frames[3]!.end - 5}`]);
});

it('unreadable bytes are skipped, and the frames around them are restored', async () => {
  const events = EVENTS.map(event => event.padEnd(10_000, '-'));
  const segment = await segmentOf(events);
  const { start, end } = (await framesOf(segment))[2]!;
  const { spool } = await newSpool({ [NAME]: segment });
  const failing = readingWithErrors(NAME, start + 5_000, end - 4_500);
  expect(await run(spool, failing)).toMatchObject([{ outcome: 'requeued', rows: 3 }]);
  expect(await handedOver(spool)).toEqual([events.filter(event => !event.startsWith('c'))]);
});

it('files that are not segments, and segments of a later release, stay in quarantine', async () => {
  const later = Buffer.from(whole);
  later.writeUInt32LE(2, 4);
  later.writeUInt32LE(crc32(later.subarray(16, headerEnd), crc32(later.subarray(0, 12))), 12);
  const row = 'segment-events_raw-2025-0-0.row';
  const { spool, quarantine } = await newSpool({ [NAME]: later, [row]: Buffer.from('x') });
  const results = await run(spool);
  expect(results.map(({ outcome }) => outcome)).toEqual(['later release', 'not a segment']);
  expect(await handedOver(spool)).toEqual([]);
  expect(await readdir(quarantine)).toHaveLength(2);
});

it('waits while a reader has not processed the segment, so that the same rows are not inserted concurrently', async () => {
  const { spool, log, quarantine } = await newSpool({ [NAME]: whole });
  await writeFile(join(log, NAME), whole);
  await saveCursor(fs, log, 'outbox', 2);
  expect(await run(spool)).toMatchObject([{ outcome: 'being read', rows: 0 }]);
  expect(await readdir(quarantine)).toEqual([NAME]);
  await saveCursor(fs, log, 'clickhouse', 2);
  expect(await run(spool)).toMatchObject([{ outcome: 'requeued' }]);
});

it('if the process ends at any call, nothing is lost, and the next run restores everything', async () => {
  const damaged = Buffer.from(whole);
  const { start, end } = frames[1]!;
  damaged[end - 30]! ^= 1;
  damaged[20]! ^= 1;
  const files = { [`${NAME}.0-${whole.length}`]: damaged, '000000000002.segment': whole };
  const count = dyingAt(Number.POSITIVE_INFINITY, 'before');
  const undisturbed = await newSpool(files);
  await run(undisturbed.spool, count.fs);
  expect(count.calls()).toBeGreaterThan(30);
  for (let call = 0; call < count.calls(); call++)
    for (const when of ['before', 'after'] as const) {
      const { spool, quarantine } = await newSpool(files);
      await expect(run(spool, dyingAt(call, when).fs)).rejects.toThrow(Died);
      // Every requeued log is complete.
      for (const events of await handedOver(spool))
        expect(events).toEqual(['a', 'c', 'd', ...EVENTS]);
      await run(spool);
      const hint = `call ${call}, ${when}`;
      const logs = await handedOver(spool);
      const counts = new Set(logs.flat());
      expect([...counts].sort(), hint).toEqual(EVENTS);
      expect(logs.length, hint).toBeLessThanOrEqual(2);
      const left = await readdir(quarantine);
      expect(left, hint).toEqual([`${NAME}.${start}-${end}`]);
      expect(await readdir(join(spool, 'default')), 'no draft').not.toContainEqual(
        expect.stringContaining('.draft'),
      );
      await rm(spool, { recursive: true });
    }
});

it('verify reports the intact rows, and changes nothing', async () => {
  const damaged = Buffer.from(whole);
  damaged[frames[1]!.end - 30]! ^= 1;
  const { spool, log, quarantine } = await newSpool({ [NAME]: damaged, '7.txt': Buffer.from('?') });
  await cp(join(quarantine, NAME), join(log, '000000000003.segment'));
  await writeFile(join(log, '000000000004.segment'), whole);
  await writeFile(join(log, '000000000005.segment'), whole.subarray(0, frames[3]!.end));
  const before = await readdir(spool, { recursive: true });
  const damagedBytes = frames[1]!.end - frames[1]!.start;
  const results = await verifySpool(fs, spool);
  expect(results.map(({ state, rows, damagedBytes: bytes }) => [state, rows, bytes])).toEqual([
    ['partly whole', 3, damagedBytes],
    ['whole', 4, 0],
    ['open', 4, 0],
    ['partly whole', 3, damagedBytes],
    ['not a segment', 0, 0],
  ]);
  expect(await readdir(spool, { recursive: true })).toEqual(before);
});

/** A file whose sectors from `start` to `end` cannot be read. */
function readingWithErrors(name: string, start: number, end: number): FileSystem {
  return {
    ...fs,
    async open(path) {
      const file = await fs.open(path);
      if (!path.endsWith(name)) return file;
      return {
        ...file,
        read: async (position, length, memory) => {
          const isHit = position < end && position + length > start;
          if (isHit) throw Object.assign(new Error('EIO'), { code: 'EIO' });
          return file.read(position, length, memory);
        },
      };
    },
  };
}
