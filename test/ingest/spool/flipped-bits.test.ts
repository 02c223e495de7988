// A bit flips somewhere in a segment on disk, anywhere: every other frame is delivered, nothing is
// delivered that was not sent, and what is lost is kept aside.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import { ROWS } from '../../../ingest/spool/frame.ts';
import { readSegment } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { checksumSeed, decodeSegmentHeader } from '../../../ingest/spool/segment-header.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { scanBytes } from '../../harness/scan-bytes.ts';
import { appendEvent, eventsOf } from './one-event.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const BITS = IS_LONG ? 8 : 1;
/** Most of a small segment is its header, under one checksum: not each byte of it, each time. */
const HEADER_STEP = IS_LONG ? 1 : 5;
const EVENTS = ['a', 'b', 'c'];

let root: string;
beforeAll(async () => {
  root = await mkdtemp('/dev/shm/spool-').catch(() => newDirectory('flipped-bits'));
});
afterAll(() => rm(root, { recursive: true }));

/** A sealed segment of three frames, and where they are. */
async function segment() {
  const directory = await mkdtemp(join(root, 'log-'));
  const log = await SpoolLog.open({
    fs,
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
    directory,
    tables: [EVENTS_RAW],
    firstSequence: 1,
    newId: () => '01900000-0000-7000-8000-000000000001',
    onSealed: () => undefined,
    onCommit: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  for (const event of EVENTS) await appendEvent(log, event);
  await log.close();
  const names = await readdir(directory);
  expect(names).toEqual(['000000000001.segment']);
  const file = await fs.open(join(directory, names[0]!));
  const bytes = await file.read(0, await file.size());
  await file.close();
  const start = decodeSegmentHeader(bytes)!;
  const { frames } = await scanBytes(bytes, start.end, checksumSeed(start.header.id));
  return { name: names[0]!, bytes, headerEnd: start.end, frames };
}

/** What a start and a reader make of the file. */
async function deliver(name: string, bytes: Buffer) {
  const directory = join(root, 'found');
  await mkdir(directory);
  await writeFile(join(directory, name), bytes);
  const delivered: string[] = [];
  let keptBytes = 0;
  const recovery = await recoverLog({ fs, directory, headerBytes: 0, onFailure: () => undefined });
  for (const found of recovery.segments) {
    const contents = await readSegment(fs, directory, found, damage => {
      keptBytes += damage.bytes;
    });
    if (contents !== undefined) delivered.push(...(await eventsOf(contents)));
  }
  await rm(directory, { recursive: true });
  return { delivered, keptBytes, tornBytes: recovery.tornBytes };
}

it('in any byte', { timeout: 300_000 }, async () => {
  const { name, bytes, headerEnd, frames } = await segment();
  const rows = frames.filter(frame => frame.kind === ROWS);
  expect(rows).toHaveLength(EVENTS.length);
  expect(await deliver(name, bytes)).toEqual({ delivered: EVENTS, keptBytes: 0, tornBytes: 0 });
  for (
    let position = 0;
    position < bytes.length;
    position += position < headerEnd - HEADER_STEP ? HEADER_STEP : 1
  )
    for (let bit = 0; bit < BITS; bit++) {
      const damaged = Buffer.from(bytes);
      damaged[position]! ^= 1 << ((position + bit) % 8);
      const { delivered, keptBytes, tornBytes } = await deliver(name, damaged);
      const hit = rows.findIndex(frame => position >= frame.start && position < frame.end);
      const hint = `byte ${position} of ${bytes.length}, bit ${(position + bit) % 8}`;
      if (position < headerEnd) {
        // Without the header nobody knows whose rows these are.
        expect({ delivered, keptBytes }, hint).toEqual({ delivered: [], keptBytes: bytes.length });
      } else if (hit >= 0) {
        expect(delivered, hint).toEqual(EVENTS.filter((_, i) => i !== hit));
        expect(keptBytes, hint).toBe(rows[hit]!.end - rows[hit]!.start);
      } else {
        // Of the seal, which says nothing that a scan doesn't.
        expect(delivered, hint).toEqual(EVENTS);
        expect(keptBytes + tornBytes, hint).toBe(bytes.length - rows.at(-1)!.end);
      }
    }
});
