// Only one process at a time uses a spool, however the previous one ended. It also delivers the
// logs of threads that no longer exist.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EACH_ONCE, tally } from '../harness/copies.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { openScene } from './scene.ts';
import { logDirectory, readSegments } from './spool-files.ts';

const clickhouse = useClickHouse();

test.concurrent('a second process on the same DATA_DIR refuses to start; the first continues', async test => {
  const scene = await openScene(test, clickhouse().url);
  const { ingest, tenant } = scene;
  const ids = await scene.send(10);
  // The first process replaces its snapshot at any time, by way of a temporary file.
  const files = async () =>
    (await readdir(join(ingest.dataDirectory, 'ingest')))
      .filter(name => !name.startsWith('directory.snapshot'))
      .sort();
  const before = await files();
  const second = startIngest({ env: { DATA_DIR: ingest.dataDirectory } });
  await expect(second).rejects.toThrow(
    /ingest cannot start: Another ingest process is using the spool in .*DATA_DIR/,
  );
  expect(await files()).toEqual(before);
  ids.push(...(await scene.send(10)));
  await scene.settled();
  expect(await tally(clickhouse(), 'events_raw', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
});

test.concurrent('after a kill -9 of the first, a new one starts immediately', async test => {
  const scene = await openScene(test, clickhouse().url);
  const { ingest, tenant } = scene;
  const ids: string[] = [];
  for (let kill = 1; kill <= 3; kill++) {
    ids.push(...(await scene.send(10)));
    await ingest.kill9();
    await scene.restart();
  }
  await scene.settled();
  expect(await tally(clickhouse(), 'events_raw', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
});

test.concurrent('if INGEST_THREADS is lowered with a full spool, everything is delivered', async test => {
  const scene = await openScene(test, clickhouse().url, { threads: 3 });
  const { ingest, proxy, tenant } = scene;
  proxy.refuseConnections(true);
  const ids: string[] = [];
  // The kernel distributes connections among threads. Repeat until each thread has received some.
  const hasRows = [false, false, false];
  for (let batches = 0; batches < 500 && hasRows.includes(false); batches++) {
    ids.push(...(await scene.send(2)));
    for (const thread of hasRows.keys())
      hasRows[thread] ||= (await readSegments(logDirectory(ingest, thread))).length > 0;
  }
  expect(hasRows).toEqual([true, true, true]);
  await ingest.kill9();
  await scene.restart({ INGEST_THREADS: '1' });
  ids.push(...(await scene.send(2)));
  proxy.refuseConnections(false);
  await scene.settled();
  expect(await tally(clickhouse(), 'events_raw', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
  expect(await tally(clickhouse(), 'events', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
});
