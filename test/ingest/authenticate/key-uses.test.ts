// Ingest writes the last use of each key to Postgres, within about 10 seconds and when it stops.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { KeyUseWriter } from '../../../ingest/authenticate/write-key-uses.ts';
import { eventText } from '../../harness/batch.ts';
import { liveTenant, postEvents } from '../../harness/batch-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { send } from '../../harness/http.ts';
import { startIngest } from '../../harness/ingest-process.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { silentLog } from './silent-log.ts';

async function lastUsedAt(keyId: string, databaseUrl?: string): Promise<Date | null> {
  const [key] = await sql('SELECT last_used_at FROM sdk_keys WHERE id = $1', [keyId], databaseUrl);
  return key!.last_used_at as Date | null;
}

async function revisions(databaseUrl: string): Promise<unknown> {
  return sql('SELECT revision FROM directory_revisions ORDER BY 1', [], databaseUrl);
}

test('a process records the use of accepted keys, to the minute, and of no others', async () => {
  const ingest = await startIngest();
  try {
    const origins = ['https://shop.example.com'];
    const [batch, fetch, refused] = [
      await createTenant(),
      await createTenant(),
      await createTenant({ origins }),
    ];
    await eventually(async () => {
      expect((await postEvents(ingest, batch.writeKey, [eventText()])).status).toBe(200);
    });
    await eventually(async () => {
      const headers = { 'x-service-write-key': fetch.writeKey };
      const answer = await send(`${ingest.url}/v1/in-app/active`, { method: 'GET', headers });
      expect(answer.status).toBe(200);
    });
    await eventually(async () => {
      const headers = { origin: 'https://elsewhere.example.com' };
      const answer = await postEvents(ingest, refused.writeKey, [eventText()], {}, { headers });
      expect(answer.status).toBe(403);
    });
    for (const { keyId } of [batch, fetch])
      await eventually(async () => {
        const at = (await lastUsedAt(keyId))?.getTime();
        expect(at).toBeGreaterThan(Date.now() - 5 * 60_000);
        expect(at! % 60_000).toBe(0);
      });

    const late = await liveTenant(ingest);
    await ingest.stop();
    expect(await lastUsedAt(late.keyId)).toBeInstanceOf(Date);
    expect(await lastUsedAt(refused.keyId)).toBeNull();
  } finally {
    await ingest.kill9();
  }
});

test('a use only moves the time forward, and does not cause a reload of the directory', async () => {
  const { owner, system } = await ownDatabase();
  const tenant = await createTenant({ databaseUrl: owner });
  const before = await revisions(owner);
  expect(before).not.toEqual([]);
  let nowMs = Date.parse('2026-11-21T09:30:45.678Z');
  const writer = new KeyUseWriter({ clock: { nowMs: () => nowMs }, log: silentLog });
  const client = await connected(system);
  const use = async (expected: string) => {
    writer.note([tenant.keyId, randomUUID()]);
    await writer.write(client);
    expect(await lastUsedAt(tenant.keyId, owner)).toEqual(new Date(expected));
  };
  await use('2026-11-21T09:30:00Z');
  nowMs += 60_000;
  await use('2026-11-21T09:31:00Z');
  // Another node recorded a later use.
  await sql(`UPDATE sdk_keys SET last_used_at = '2026-11-21T10:00:00Z'`, [], owner);
  nowMs += 60_000;
  writer.note([tenant.keyId]);
  await writer.write(client);
  expect(await lastUsedAt(tenant.keyId, owner)).toEqual(new Date('2026-11-21T10:00:00Z'));
  expect(await revisions(owner)).toEqual(before);
});

test('a use that could not be written is written with the next one', async () => {
  const tenant = await createTenant();
  const writer = new KeyUseWriter({ clock: { nowMs: Date.now }, log: silentLog });
  const { system } = inject('databaseUrls');
  const ended = await connected(system);
  await ended.end();
  writer.note([tenant.keyId]);
  await writer.write(ended);
  expect(await lastUsedAt(tenant.keyId)).toBeNull();
  writer.note([]);
  await writer.write(await connected(system));
  expect(await lastUsedAt(tenant.keyId)).toBeInstanceOf(Date);
});

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(async () => client.end());
  return client;
}
