// Ingest accepts events without Postgres: keys are held in memory, and a restart loads them from
// the snapshot on disk.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents, untilKnown } from '../harness/batch-client.ts';
import { EACH_ONCE, sharedWarehouse, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { isReady, startIngest } from '../harness/ingest-process.ts';
import { startTcpGate } from '../harness/tcp-gate.ts';

/** How long the outage lasts, not counting the steps of the test. A batch is sent now and then. */
const AWAY_MS = process.env.TEST_LONG === undefined ? 0 : 5 * 60_000;
const PAUSE_MS = 200;

test('batches are accepted while Postgres is unavailable, even by a process that starts then', {
  timeout: AWAY_MS + 600_000,
}, async () => {
  const address = new URL(inject('databaseUrls').system);
  const gate = await startTcpGate(address.hostname, Number(address.port));
  address.port = String(gate.port);
  const ingest = await startIngest({ env: { DATABASE_SYSTEM_URL: address.href } });
  try {
    const tenant = await liveTenant(ingest);
    const ids: string[] = [];
    const accept = async () => {
      const more = Array.from({ length: 20 }, newMessageId);
      const events = more.map(id => eventOf(id));
      expectAccepted(await postEvents(ingest, tenant.writeKey, events), events.length);
      ids.push(...more);
    };
    await accept();
    // Consecutive changes share a write, so the first snapshot may lack the key.
    const snapshot = join(ingest.dataDirectory, 'ingest', 'directory.snapshot');
    await eventually(async () => expect(await readFile(snapshot, 'utf8')).toContain(tenant.keyId));

    gate.setOpen(false);
    await eventually(async () => expect(await postgresAsSeen(ingest.url)).toBe('away'));
    for (const end = performance.now() + AWAY_MS; performance.now() < end; ) {
      await accept();
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
    for (let batch = 0; batch < 5; batch++) await accept();
    expect(await isReady(ingest)).toBe(true);

    await ingest.kill9();
    await ingest.restart();
    await untilKnown(ingest, tenant.writeKey);
    expect(await postgresAsSeen(ingest.url)).toBe('away');
    for (let batch = 0; batch < 5; batch++) await accept();

    gate.setOpen(true);
    await eventually(async () => expect(await postgresAsSeen(ingest.url)).toBe('reachable'));
    const later = await liveTenant(ingest);
    expectAccepted(await postEvents(ingest, later.writeKey, [eventOf(newMessageId())]), 1);
    await accept();
    await untilDrained(ingest);
    expect(await tally(sharedWarehouse, 'events', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
  } finally {
    await ingest.kill9();
    await gate.close();
  }
});

async function postgresAsSeen(url: string): Promise<unknown> {
  return (await send(`${url}/readyz`, { method: 'GET' })).json().postgres;
}
