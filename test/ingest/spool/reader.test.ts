// A reader that cannot deliver a segment waits for the database indefinitely, and quarantines only
// data that the disk cannot read.

import { expect, it } from 'vitest';
import type { FileSystem } from '../../../ingest/spool/file-system.ts';
import { SegmentReadFailure } from '../../../ingest/spool/read-payloads.ts';
import { runReader } from '../../../ingest/spool/reader.ts';
import type { SealedSegment } from '../../../ingest/spool/segment.ts';
import { linkAside } from '../../../ingest/spool/set-aside.ts';
import { Shelf } from '../../../ingest/spool/shelf.ts';
import { ForgetfulFileSystem } from '../../simulator/forgetful-file-system.ts';
import {
  CLICKHOUSE_ERRORS,
  POSTGRES_CONNECT_ERRORS,
  POSTGRES_STATEMENT_ERRORS,
} from '../../simulator/port-errors.ts';
import { VirtualClock } from '../../simulator/virtual-clock.ts';

const DIRECTORY = '/spool/default/0';
const SEGMENT: SealedSegment = {
  sequence: 1,
  id: undefined,
  path: `${DIRECTORY}/000000000001.segment`,
  bytes: 5,
  createdAtMs: 0,
  isFresh: true,
  mayHaveOutboxRows: true,
  rows: 0,
};
const OUTAGE_TRIES = 500;

it.each(
  Object.entries({
    ...POSTGRES_CONNECT_ERRORS,
    ...POSTGRES_STATEMENT_ERRORS,
    ...CLICKHOUSE_ERRORS,
    'no writer for a table': () => new Error('No writer for outbox table x.'),
  }),
)('waits for as long as necessary: %s', async (_, makeError) => {
  const scene = await openScene(['only']);
  let tries = 0;
  scene.read('only', async () => {
    if (++tries <= OUTAGE_TRIES) throw makeError();
  });
  await scene.untilPassed('only');
  expect(tries).toBe(OUTAGE_TRIES + 1);
  expect(scene.quarantined()).toEqual([]);
});

it('if one reader quarantines a segment, the other still reads it', async () => {
  const scene = await openScene(['first', 'second']);
  scene.read('first', async () => {
    const error = Object.assign(new Error('EIO'), { code: 'EIO' });
    throw new SegmentReadFailure(SEGMENT.path, error);
  });
  await scene.untilPassed('first');
  expect(scene.quarantined()).toEqual(['000000000001.segment']);
  let text = '';
  scene.read('second', async (fs, { path }) => {
    text = (await (await fs.open(path)).read(0, SEGMENT.bytes)).toString();
  });
  await scene.untilPassed('second');
  expect(text).toBe('bytes');
});

type Handle = (fs: FileSystem, segment: SealedSegment) => Promise<void>;

/** One segment for the named readers. A reader starts when the test passes its handler. */
async function openScene(names: readonly string[]) {
  const fs = new ForgetfulFileSystem(() => 0.5);
  const clock = new VirtualClock();
  const stopping = new AbortController();
  const options = { fs, clock, directory: DIRECTORY, retainedBytesMax: 1e9 };
  const shelf = new Shelf({ ...options, readers: names, onPassed: () => undefined }, new Map());
  await (await fs.create(SEGMENT.path)).write(Buffer.from('bytes'), 0);
  shelf.add(SEGMENT);
  return {
    read(name: string, handle: Handle): void {
      void runReader({
        ...options,
        name,
        shelf,
        signal: stopping.signal,
        take: async next => [next],
        handle: async ([segment]) => {
          await handle(fs, segment!);
          return true;
        },
        setAside: async ({ path }) => void (await linkAside(fs, DIRECTORY, path)),
        onFailure: () => undefined,
      });
    },
    async untilPassed(name: string): Promise<void> {
      while (shelf.passedBy(name).length === 0) {
        for (let turn = 0; turn < 4; turn++) await new Promise(resolve => setImmediate(resolve));
        clock.advance(1_000);
      }
    },
    quarantined: () =>
      fs
        .paths()
        .filter(path => path.includes('/quarantine/'))
        .map(path => path.split('/').at(-1)),
  };
}
