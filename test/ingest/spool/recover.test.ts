// Recovery of segment ends at startup. Only the segment written last can have been torn by a crash;
// a missing end of any other segment is damage, and is kept and reported.

import { cp, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEGMENT_AGE_MAX_MS } from '../../../ingest/limits.ts';
import { nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import { readSegment } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { appendEvent, eventsOf } from './one-event.ts';

/** The size of a seal. */
const SEAL_BYTES = 24;

let root: string;
let life: string;
beforeAll(async () => {
  root = await newDirectory('recover');
  life = await threeSegments();
});
afterAll(() => rm(root, { recursive: true }));

/**
 * Two sealed segments of two events each, an open one as a kill leaves it, and an empty next file.
 */
async function threeSegments(): Promise<string> {
  const directory = await mkdtemp(join(root, 'log-'));
  let nowMs = 0;
  let ids = 0;
  const log = await SpoolLog.open({
    fs,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: () => Promise.resolve() },
    directory,
    tables: [EVENTS_RAW],
    firstSequence: 1,
    newId: () => `01900000-0000-7000-8000-00000000000${++ids}`,
    onSealed: () => undefined,
    onCommit: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  for (const event of ['a', 'b', 'c', 'd', 'e', 'f']) {
    expect(log.refusal()).toBeUndefined();
    await appendEvent(log, event);
    if (event !== 'b' && event !== 'd') continue;
    nowMs += SEGMENT_AGE_MAX_MS;
    // The segment is sealed and the next one begun as soon as the next file exists.
    for (log.tick(); log.oldestRowAgeMs() > 0; log.tick())
      await new Promise(resolve => setImmediate(resolve));
    while (log.refusal() !== undefined) await new Promise(resolve => setImmediate(resolve));
  }
  return directory;
}

async function start(sequence: number, cutBytes: number, readSequence = 0) {
  const directory = await mkdtemp(join(root, 'cut-'));
  await cp(life, directory, { recursive: true });
  const path = join(directory, `00000000000${sequence}.segment`);
  const bytes = await readFile(path);
  await truncate(path, bytes.length - cutBytes);
  const recover = () =>
    recoverLog({ fs, directory, headerBytes: 0, readSequence, onFailure: () => undefined });
  const { segments, tornBytes, endless } = await recover();
  const events: string[] = [];
  let damagedBytes = 0;
  for (const segment of segments) {
    const contents = await readSegment(fs, directory, segment, ({ bytes }) => {
      damagedBytes += bytes;
    });
    if (contents !== undefined) events.push(...(await eventsOf(contents)));
  }
  const again = await recover();
  expect(again, 'a second start finds nothing new').toMatchObject({ tornBytes: 0, endless: [] });
  const kept = await readdir(join(directory, 'quarantine')).catch(() => []);
  return { events, tornBytes, damagedBytes, endless: endless.length, kept };
}

const ALL = ['a', 'b', 'c', 'd', 'e', 'f'];

it('the last written segment may be torn: an incomplete frame was not acknowledged', async () => {
  const { events, tornBytes, damagedBytes, endless, kept } = await start(3, 10);
  expect(events).toEqual(ALL.slice(0, -1));
  expect(tornBytes).toBeGreaterThan(0);
  expect({ damagedBytes, endless, kept }).toEqual({ damagedBytes: 0, endless: 0, kept: [] });
});

it('a segment that lost its end although later ones have rows is damaged', async () => {
  const { events, tornBytes, damagedBytes, endless, kept } = await start(1, SEAL_BYTES + 10);
  expect(events).toEqual(ALL.filter(event => event !== 'b'));
  expect({ tornBytes, endless }).toEqual({ tornBytes: 0, endless: 1 });
  expect(damagedBytes).toBeGreaterThan(0);
  expect(kept).toHaveLength(1);
});

it('a segment that lost exactly its last frame is also damaged, and is reported', async () => {
  const { length } = await readFile(join(life, '000000000002.segment'));
  const { bytes } = await lastFrameOf(2, length);
  const { events, endless } = await start(2, SEAL_BYTES + bytes);
  expect(events).toEqual(ALL.filter(event => event !== 'd'));
  expect(endless).toBe(1);
});

it('the last segment is also damaged if a reader had received it', async () => {
  const { tornBytes, damagedBytes, endless } = await start(3, 10, 4);
  expect({ tornBytes, endless }).toEqual({ tornBytes: 0, endless: 1 });
  expect(damagedBytes).toBeGreaterThan(0);
});

it('a file that is truncated while the process runs is damaged', async () => {
  const directory = await mkdtemp(join(root, 'shorter-'));
  await cp(life, directory, { recursive: true });
  const options = { fs, directory, headerBytes: 0, readSequence: 0, onFailure: () => undefined };
  const { segments } = await recoverLog(options);
  await truncate(segments[0]!.path, segments[0]!.bytes - SEAL_BYTES - 10);
  const reports: number[] = [];
  const read = () =>
    readSegment(fs, directory, segments[0]!, ({ bytes }) => void reports.push(bytes));
  expect(await eventsOf((await read())!)).toEqual(['a']);
  await read();
  // The truncated frame and the missing bytes are reported once each, although the file was read
  // twice.
  expect(reports).toHaveLength(2);
  expect(reports[1]).toBe(SEAL_BYTES + 10);
});

async function lastFrameOf(sequence: number, size: number): Promise<{ bytes: number }> {
  const directory = await mkdtemp(join(root, 'frames-'));
  await cp(life, directory, { recursive: true });
  const path = join(directory, `00000000000${sequence}.segment`);
  const segment = { sequence, id: undefined, path, bytes: size, createdAtMs: 0, isFresh: false };
  const contents = await readSegment(
    fs,
    directory,
    { ...segment, mayHaveOutboxRows: false, rows: 0 },
    () => undefined,
  );
  const { start, end } = contents!.frames.at(-1)!;
  return { bytes: end - start };
}
