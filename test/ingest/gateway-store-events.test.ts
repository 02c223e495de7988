import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { v7 as uuidV7 } from 'uuid';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type InboxEvent, storeEvents } from '../../ingest/gateway/store-events.ts';
import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';

/** Enough for the two to overlap. */
const EVENTS = 3_000;
const ROUNDS = 3;
let clients: pg.Client[];
beforeAll(async () => {
  const connect = () => new pg.Client({ connectionString: inject('databaseUrls').system });
  clients = Array.from({ length: 2 }, connect);
  for (const client of clients) await client.connect();
});
afterAll(async () => {
  for (const client of clients) await client.end();
});

function event(eventKey: string): InboxEvent {
  return {
    id: uuidV7(),
    requestId: '',
    accountId: PLATFORM_ACCOUNT_ID,
    eventKey,
    type: 'PAYMENT_SUCCESS_WEBHOOK',
    family: 'payment',
    version: '',
    body: Buffer.from('{"of":"opposite orders"}'),
    field: 'webhook_secret',
    generation: 'CURRENT',
    receivedAtMs: Date.now(),
    eventAtMs: undefined,
    workspaceId: undefined,
  };
}

test('the same events in opposite orders never wait for each other, and each is new once', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const keys = Array.from({ length: EVENTS }, () => `test|${randomBytes(9).toString('hex')}`);
    const [one, other] = await Promise.all([
      storeEvents(clients[0]!, keys.map(event)),
      storeEvents(clients[1]!, keys.toReversed().map(event)),
    ]);
    const areNew = keys.map((_, i) => Number(one[i]) + Number(other[EVENTS - 1 - i]));
    expect(areNew).toEqual(keys.map(() => 1));
  }
});
