// A process with a low limit of open files logs a warning, serves existing connections, closes new
// ones immediately, and never runs out of files.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectionsMax } from '../../../ingest/http/connections-max.ts';
import { CONNECTIONS_MAX } from '../../../ingest/limits.ts';
import { eventOf, newMessageId } from '../../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../../harness/batch-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { OPEN_FILES_VARIABLE } from '../../harness/few-open-files.ts';
import { keepAlive, send } from '../../harness/http.ts';
import { startIngest } from '../../harness/ingest-process.ts';
import { storedEvents } from '../../harness/stored-events.ts';

describe('the maximum number of connections per thread', () => {
  test('is the full number if the system allows it or has no limit', () => {
    for (const openFilesMax of [undefined, 1_048_576])
      expect(connectionsMax(openFilesMax, 4, 4).perThread).toBe(CONNECTIONS_MAX);
  });

  test('is the limit minus the needs of the process, divided among the threads', () => {
    const { perThread, openFilesNeeded } = connectionsMax(1_024, 2, 2);
    expect(perThread * 2).toBeLessThan(1_024);
    expect(perThread * 2).toBeGreaterThan(800);
    expect(connectionsMax(openFilesNeeded, 2, 2).perThread).toBe(CONNECTIONS_MAX);
  });

  test('is never below a few', () => {
    expect(connectionsMax(20, 2, 2).perThread).toBeGreaterThan(0);
  });
});

test('connections beyond the limit of open files are closed and counted; open connections are served', async () => {
  const preload = new URL('../../harness/few-open-files.ts', import.meta.url).href;
  const ingest = await startIngest({
    threads: 1,
    env: { NODE_OPTIONS: `--import=${preload}`, [OPEN_FILES_VARIABLE]: '140' },
  });
  onTestFinished(async () => void (await ingest.stop()));
  expect(ingest.logs()).toContain('raise LimitNOFILE');
  const tenant = await liveTenant(ingest);
  const agent = keepAlive(1);
  onTestFinished(() => agent.destroy());
  const scrape = async () => (await send(`${ingest.url}/metrics`, { method: 'GET', agent })).text;
  expect(await scrape()).toContain('ingest_process_max_fds 140');

  const { hostname, port } = new URL(ingest.url);
  const sockets: Socket[] = [];
  let closed = 0;
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let at = 0; at < 200; at++) {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.on('close', () => closed++);
    socket.resume();
    sockets.push(socket);
    await once(socket, 'connect');
  }
  await eventually(() => expect(closed).toBeGreaterThan(100));
  await eventually(async () => {
    const [, refused] = /^ingest_connections_refused_total (\d+)$/m.exec(await scrape()) ?? [];
    expect(Number(refused)).toBe(closed);
  });
  const id = newMessageId();
  expectAccepted(await postEvents(ingest, tenant.writeKey, [eventOf(id)], {}, { agent }), 1);
  await storedEvents(tenant.workspaceId, [id]);
});
