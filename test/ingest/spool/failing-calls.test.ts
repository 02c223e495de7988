// Each call that a log makes to the operating system in a short life fails once, in every way in
// which such calls fail. No event is acknowledged that was not stored, no acknowledged event is
// lost, the file with the failure is not written again, and the log continues on its own.

import '../../faults/file-calls.ts';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NotDurable } from '../../../ingest/accept/not-durable.ts';
import { SEGMENT_AGE_MAX_MS } from '../../../ingest/limits.ts';
import { loadCursor, saveCursor } from '../../../ingest/spool/cursor.ts';
import { readSegment } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import type { SealedSegment } from '../../../ingest/spool/segment.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { type FileCall, type Instead, watchFileCalls } from '../../faults/file-calls.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { appendEvent, eventsOf } from './one-event.ts';

/** Loads a separate copy: the cached module may hold references to unwatched functions. */
const { nodeFileSystem: fs } = (await import(
  `../../../ingest/spool/file-system.ts?${'watched'}`
)) as typeof import('../../../ingest/spool/file-system.ts');

/** How the call and later calls fail; `undefined` if this failure is not possible for the call. */
type Trouble = (call: FileCall, since: number) => Instead;

const TROUBLES: Record<string, Trouble> = {
  'fails once with EIO': (_, since) => (since === 0 ? { error: 'EIO' } : undefined),
  'fails once with EINTR': (_, since) => (since === 0 ? { error: 'EINTR' } : undefined),
  'finds the disk full, and so do those behind it': ({ kind }, since) =>
    since < 6 && takesRoom(kind) ? { error: 'ENOSPC' } : undefined,
  'writes half of it': ({ kind }, since) => (since === 0 && kind === 'write' ? 'half' : undefined),
  'writes half of it, and then the disk is full': ({ kind }, since) =>
    kind !== 'write' || since > 1 ? undefined : since === 0 ? 'half' : { error: 'ENOSPC' },
};

function takesRoom(kind: FileCall['kind']): boolean {
  return kind === 'write' || kind === 'create' || kind === 'sync';
}

let root: string;
/** In memory where possible: thousands of syncs are slow on a disk. */
beforeAll(async () => {
  root = await mkdtemp('/dev/shm/spool-').catch(() => newDirectory('failing-calls'));
});
afterEach(() => watchFileCalls(undefined));
afterAll(() => rm(root, { recursive: true }));

/** Runs with the trouble from the nth call on; returns all calls and those that failed. */
async function withTrouble<T>(
  n: number,
  trouble: Trouble,
  run: () => Promise<T>,
): Promise<{ result: T; calls: FileCall[]; failed: FileCall[] }> {
  const calls: FileCall[] = [];
  const failed: FileCall[] = [];
  watchFileCalls({
    before(call) {
      if (!call.path.startsWith(root)) return undefined;
      calls.push(call);
      const instead = calls.length > n ? trouble(call, calls.length - 1 - n) : undefined;
      if (typeof instead === 'object') failed.push(call);
      return instead;
    },
    after: () => undefined,
  });
  try {
    return { result: await run(), calls, failed };
  } finally {
    watchFileCalls(undefined);
  }
}

type Life = {
  readonly sealed: readonly SealedSegment[];
  readonly acknowledged: string[];
  readonly refused: string[];
};

let ids = 0;

/** Writes three segments with two events each. */
async function live(directory: string): Promise<Life> {
  let nowMs = 0;
  const [sealed, acknowledged, refused]: [SealedSegment[], string[], string[]] = [[], [], []];
  const log = await SpoolLog.open({
    fs,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: () => wait(0) },
    directory,
    tables: [EVENTS_RAW],
    firstSequence: 1,
    newId: () => `01900000-0000-7000-8000-${(++ids).toString(16).padStart(12, '0')}`,
    onSealed: segment => void sealed.push(segment),
    onCommit: () => undefined,
    onFailure: () => undefined,
  });
  for (const event of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await untilItTakes(log);
    try {
      await appendEvent(log, event);
      acknowledged.push(event);
    } catch (error) {
      expect(error).toBeInstanceOf(NotDurable);
      refused.push(event);
    }
    if (event === 'b' || event === 'd') nowMs += SEGMENT_AGE_MAX_MS;
  }
  await log.close().catch(() => undefined);
  return { sealed, acknowledged, refused };
}

async function untilItTakes(log: SpoolLog): Promise<void> {
  for (let turn = 0; log.refusal() !== undefined; turn++) {
    expect(turn, 'turns until it takes events again').toBeLessThan(1_000);
    log.tick();
    await wait(0);
  }
}

async function eventsIn(directory: string, segments: readonly SealedSegment[]): Promise<string[]> {
  const found: string[] = [];
  for (const segment of segments) {
    const contents = await readSegment(fs, directory, segment, damage => {
      throw new Error(`damaged: ${JSON.stringify(damage)}`);
    });
    found.push(...(await eventsOf(contents!)));
  }
  return found;
}

function recover(directory: string) {
  return recoverLog({ fs, directory, headerBytes: 0, readSequence: 0, onFailure: () => undefined });
}

/** All acknowledged events are stored once each; refused events may be stored. */
function expectHonest({ acknowledged, refused }: Life, found: readonly string[], hint: string) {
  expect(new Set(found).size, hint).toBe(found.length);
  expect(found, hint).toEqual(expect.arrayContaining(acknowledged));
  expect([...acknowledged, ...refused], hint).toEqual(expect.arrayContaining([...found]));
}

const never: Trouble = () => undefined;
const newLog = () => mkdtemp(join(root, 'log-'));

describe.each(Object.entries(TROUBLES))('a call %s', (_, trouble) => {
  it('while the log is written: each of its calls', async () => {
    const { calls: all } = await withTrouble(0, never, async () => live(await newLog()));
    expect(all.length).toBeGreaterThan(25);
    let refusals = 0;
    for (let n = 0; n < all.length; n++) {
      const directory = await newLog();
      const { result, calls, failed } = await withTrouble(n, trouble, () => live(directory));
      const hint = `call ${n}: ${all[n]!.kind} ${all[n]!.path}`;
      refusals += result.refused.length;
      expect(result.acknowledged.length + result.refused.length, hint).toBe(6);
      // A short failure affects only a few events.
      expect(result.acknowledged.length, hint).toBeGreaterThanOrEqual(3);
      const known = result.sealed.toSorted((a, b) => a.sequence - b.sequence);
      if (failed.every(({ kind }) => kind !== 'read'))
        expectHonest(result, await eventsIn(directory, known), hint);
      for (const { path } of failed.filter(({ kind }) => kind === 'write' || kind === 'sync')) {
        const since = calls.slice(calls.indexOf(failed.find(call => call.path === path)!) + 1);
        expect(
          since.filter(call => call.path === path && call.kind === 'write'),
          hint,
        ).toEqual([]);
      }
      const { segments } = await recover(directory);
      expectHonest(result, await eventsIn(directory, segments), hint);
      await rm(directory, { recursive: true });
    }
    // Proves that the failures take effect: some of them must be visible to clients.
    if (trouble({ kind: 'write' } as FileCall, 0) !== 'half') expect(refusals).toBeGreaterThan(0);
  });

  it('while a start scans existing files: each of its calls', async () => {
    const full = await newLog();
    const life = await live(full);
    await tearLast(full);
    const copy = async () => {
      const directory = await newLog();
      await cp(full, directory, { recursive: true });
      return directory;
    };
    const first = await copy();
    const { calls: all } = await withTrouble(0, never, () => recover(first));
    for (let n = 0; n < all.length; n++) {
      const directory = await copy();
      const hint = `call ${n}: ${all[n]!.kind} ${all[n]!.path}`;
      const start = () => recover(directory).catch(() => undefined);
      const { result } = await withTrouble(n, trouble, start);
      if (result !== undefined)
        expectHonest(life, await eventsIn(directory, result.segments), hint);
      // Starts again, in case the first start failed.
      const { segments } = await recover(directory);
      expectHonest(life, await eventsIn(directory, segments), hint);
      await rm(directory, { recursive: true });
    }
  });

  it('while a cursor is saved: either the old or the new one is valid', async () => {
    const directory = await newLog();
    await saveCursor(fs, directory, 'reader', 1);
    const save = (sequence: number) => saveCursor(fs, directory, 'reader', sequence);
    const { calls: all } = await withTrouble(0, never, () => save(2));
    for (let n = 0; n < all.length; n++) {
      await save(2);
      const isSaved = await withTrouble(n, trouble, () =>
        save(3).then(
          () => true,
          () => false,
        ),
      );
      const found = await loadCursor(fs, directory, 'reader');
      expect(isSaved.result ? [3] : [2, 3]).toContain(found);
    }
  });

  it('while damage is quarantined: it is stored completely and reported once', async () => {
    const full = await newLog();
    const { sealed } = await live(full);
    const [segment] = sealed as [SealedSegment];
    const bytes = await readFile(segment.path);
    bytes[bytes.length - 40]! ^= 1;
    await writeFile(segment.path, bytes);
    const put = async (reports: number[]) => {
      await rm(join(full, 'quarantine'), { recursive: true, force: true });
      return () => readSegment(fs, full, segment, damage => void reports.push(damage.bytes));
    };
    const { calls: all } = await withTrouble(0, never, await put([]));
    for (let n = 0; n < all.length; n++) {
      const reports: number[] = [];
      const read = await put(reports);
      await withTrouble(n, trouble, () => read().catch(() => undefined));
      await read();
      const hint = `call ${n}: ${all[n]!.kind} ${all[n]!.path}`;
      expect(reports, hint).toHaveLength(1);
      const names = await readdir(join(full, 'quarantine'));
      expect(names, hint).toHaveLength(1);
      const kept = await readFile(join(full, 'quarantine', names[0]!));
      expect(kept.length, hint).toBe(reports[0]);
    }
  });
});

/** Removes the seal of the last segment and appends half a frame. */
async function tearLast(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter(name => name.endsWith('.segment')).sort();
  const path = join(directory, names.at(-1)!);
  const bytes = await readFile(path);
  const torn = bytes.subarray(0, bytes.length - 24);
  await writeFile(path, Buffer.concat([torn, bytes.subarray(-200, -80)]));
}
