// identify events sent to /v1/batch create and update rows of contacts, the people that campaigns
// target.

import { expect, inject, test } from 'vitest';
import { eventText, type Texts } from '../harness/batch.ts';
import {
  expectAccepted,
  expectRejections,
  liveTenant,
  postEvents,
} from '../harness/batch-client.ts';
import { type Contact, contactsOf, untilContact, untilContacts } from '../harness/contact.ts';
import { untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { startIngest, useIngest } from '../harness/ingest-process.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { outboundOf, postPush } from '../harness/push.ts';
import { startTcpGate } from '../harness/tcp-gate.ts';
import { sql, type Tenant } from '../harness/tenant.ts';

const ingest = useIngest();
const MINUTE_MS = 60_000;
/** identify events are ordered by their time, to the millisecond. */
const START_MS = Date.now() - 60 * MINUTE_MS;

function at(minute: number): string {
  return JSON.stringify(new Date(START_MS + minute * MINUTE_MS).toISOString());
}

function identify(userId: string, traits: string | undefined, minute = 0, more: Texts = {}) {
  const ids = { type: '"identify"', event: undefined, userId: JSON.stringify(userId) };
  return eventText({ ...ids, traits, timestamp: at(minute), ...more });
}

async function send(tenant: Tenant, events: readonly string[], fields: Texts = {}): Promise<void> {
  const answer = await postEvents(ingest(), tenant.writeKey, events, fields);
  expectAccepted(answer, events.length);
}

test.concurrent('a contact has the traits that were sent', async () => {
  const tenant = await liveTenant(ingest());
  const traits = '{"email":"a@example.com","plan":"pro","big":9007199254740993,"nested":{"a":[1]}}';
  await send(tenant, [identify('user-1', traits, 3, { anonymousId: '"device-1"' })]);
  const contact = await untilContact(tenant, 'user-1');
  expect(contact).toMatchObject({
    anonymous_id: 'device-1',
    traits_at: new Date(START_MS + 3 * MINUTE_MS),
  });
  expect(JSON.parse(contact.traits_text)).toEqual(JSON.parse(traits));
  expect(contact.traits_text).toContain('9007199254740993');
});

test.concurrent('without traits, and with escapes in type and user id', async () => {
  const tenant = await liveTenant(ingest());
  await send(tenant, [
    identify('user-1', undefined),
    identify('', undefined, 0, { type: '"\\u0069dentify"', userId: '"\\u0075ser-ü"' }),
  ]);
  expect(await untilContacts(tenant, 2)).toMatchObject([
    { user_id: 'user-1', traits: {} },
    { user_id: 'user-ü', traits: {} },
  ]);
});

test.concurrent('only an accepted identify with a user ID creates a contact', async () => {
  const tenant = await liveTenant(ingest());
  const userId = '"somebody"';
  const other = ['track', 'page', 'screen', 'group', 'alias'].map(type =>
    eventText({ type: JSON.stringify(type), userId, traits: '{"a":1}' }),
  );
  await send(tenant, [
    ...other,
    identify('', '{"a":1}', 0),
    identify('', '{"a":1}', 0, { userId: undefined }),
    identify('', '{"a":1}', 0, { userId: 'null' }),
  ]);
  const events = [
    identify('refused', '{"a":1}', 0, { timestamp: '"yesterday"' }),
    identify('too-deep', '{"a":[[[[[]]]]]}'),
    identify('accepted', '{"a":1}'),
  ];
  expectRejections(await postEvents(ingest(), tenant.writeKey, events), 1, [
    { index: 0, code: 'INVALID_TIMESTAMP' },
    { index: 1, code: 'NESTING_TOO_DEEP' },
  ]);
  await untilContacts(tenant, 1);
  await untilDrained(ingest());
  expect(await untilContacts(tenant, 1)).toMatchObject([{ user_id: 'accepted' }]);
});

test.concurrent('a later identify takes precedence, and an older one that arrives late only adds traits', async () => {
  const tenant = await liveTenant(ingest());
  const steps: readonly (readonly [number, string, string, object])[] = [
    [10, '{"plan":"free","a":1}', 'd-10', { plan: 'free', a: 1 }],
    [20, '{"plan":"pro","b":null}', 'd-20', { plan: 'pro', a: 1, b: null }],
    [15, '{"plan":"trial","b":2,"c":3}', 'd-15', { plan: 'pro', a: 1, b: null, c: 3 }],
    [30, '{"c":{"d":4}}', 'd-30', { plan: 'pro', a: 1, b: null, c: { d: 4 } }],
  ];
  let latest = 0;
  for (const [minute, traits, device, expected] of steps) {
    await send(tenant, [identify('u', traits, minute, { anonymousId: JSON.stringify(device) })]);
    latest = Math.max(latest, minute);
    await eventually(async () => {
      expect(await untilContact(tenant, 'u')).toMatchObject({
        traits: expected,
        anonymous_id: `d-${latest}`,
        traits_at: new Date(START_MS + latest * MINUTE_MS),
      });
    });
  }
});

test.concurrent('several updates of a person in one batch are applied by their time', async () => {
  const tenant = await liveTenant(ingest());
  await send(tenant, [identify('u', '{"x":"known","y":"known"}', 10)]);
  await untilContact(tenant, 'u');
  await send(tenant, [
    identify('u', '{"x":"newest","n":3}', 30),
    identify('u', '{"x":"older","y":"older","o":2}', 5),
    identify('u', '{"x":"newer","n":2,"m":1}', 20),
    identify('u', '{"y":"oldest","o":1,"p":1}', 4),
    identify('u', '{"n":4}', 30),
  ]);
  const traits = { x: 'newest', y: 'known', n: 4, m: 1, o: 2, p: 1 };
  await eventually(async () => expect((await untilContact(tenant, 'u')).traits).toEqual(traits));
});

test.concurrent('a repeated batch leaves one contact, unchanged', async () => {
  const tenant = await liveTenant(ingest());
  const events = [identify('u', '{"plan":"free","a":1}', 10), identify('v', '{"b":1}', 10)];
  await send(tenant, events);
  await send(tenant, [identify('u', '{"plan":"pro"}', 20)]);
  // Resent with new message IDs, as if the node had forgotten the old ones: only their time shows
  // that they are outdated.
  await send(tenant, [identify('u', '{"plan":"free","a":1}', 10), identify('v', '{"b":1}', 10)]);
  await send(tenant, events);
  await untilDrained(ingest());
  expect(await untilContacts(tenant, 2)).toMatchObject([
    { user_id: 'u', traits: { plan: 'pro', a: 1 } },
    { user_id: 'v', traits: { b: 1 } },
  ]);
});

test.concurrent('a wrong clock is corrected, and a time in the future is not used', async () => {
  const tenant = await liveTenant(ingest());
  const yearMs = 365 * 24 * 60 * MINUTE_MS;
  const wrong = JSON.stringify(new Date(Date.now() + yearMs).toISOString());
  // The clock of the device is a year ahead.
  await send(tenant, [identify('u', '{"x":1}', 0, { timestamp: wrong })], { sentAt: wrong });
  // Only the timestamp of the event is wrong.
  await send(tenant, [identify('v', '{"x":1}', 0, { timestamp: wrong })]);
  const contacts = await untilContacts(tenant, 2);
  for (const { traits_at } of contacts) expect(traits_at.getTime()).toBeLessThanOrEqual(Date.now());
  const now = JSON.stringify(new Date().toISOString());
  await send(
    tenant,
    ['u', 'v'].map(id => identify(id, '{"x":2}', 0, { timestamp: now })),
  );
  await eventually(async () => {
    const traits = (await contactsOf(tenant.workspaceId)).map(contact => contact.traits);
    expect(traits).toEqual([{ x: 2 }, { x: 2 }]);
  });
});

test.concurrent('traits that Postgres cannot store as sent are stored as the nearest representable value', async () => {
  const tenant = await liveTenant(ingest());
  const traits =
    '{"nul":"a\\u0000b","lone":"\\udc00","k\\u0000":1,"big":1e131072,"tiny":1E-16384,"fine":1.5e10,"text":"\\"1e999\\" \\\\"}';
  await send(tenant, [identify('odd', traits), identify('plain', '{"a":1}')]);
  expect(await untilContacts(tenant, 2)).toMatchObject([
    {
      user_id: 'odd',
      traits: {
        nul: 'a\ufffdb',
        lone: '\ufffd',
        'k\ufffd': 1,
        big: '1e131072',
        tiny: '1E-16384',
        fine: 1.5e10,
        text: '"1e999" \\',
      },
    },
    { user_id: 'plain', traits: { a: 1 } },
  ]);
});

// Not concurrent: all rows of a refused statement are written again in several statements.
test('traits that exceed their limit are refused and counted, and do not block others', async () => {
  const tenant = await liveTenant(ingest());
  const refused = async () =>
    sumOf(await metrics(ingest()), /^ingest_outbox_rows_refused_total$/, {
      table: 'outbox_contact_updates',
    });
  const before = await refused();
  const text = 'x'.repeat(9_000);
  const large = (part: number) => {
    const members = Array.from({ length: 50 }, (_, i) => `"k-${part}-${i}":"${text}"`);
    return `{${members.join(',')}}`;
  };
  for (let part = 0; part < 3; part++) await send(tenant, [identify('u', large(part), part)]);
  await send(tenant, [identify('v', '{"a":1}')]);
  await eventually(async () => expect(await refused()).toBe(before + 1));
  await send(tenant, [identify('u', '{"after":1}', 9)]);
  await eventually(async () => {
    const contacts = await contactsOf(tenant.workspaceId);
    expect(contacts[0]?.traits.after).toBe(1);
    expect(Object.keys(contacts[0]!.traits)).toHaveLength(101);
    expect(contacts[1]).toMatchObject({ user_id: 'v', traits: { a: 1 } });
  });
});

test.concurrent('hundreds of updates of the same people over two threads at once', async () => {
  const tenant = await liveTenant(ingest());
  const users = Array.from({ length: 10 }, (_, i) => `user-${i}`);
  // The batches of each thread list the people in a different order.
  await Promise.all(
    Array.from({ length: 40 }, async (_, batch) => {
      const order = batch % 2 === 0 ? users : users.toReversed();
      const events = order.flatMap(user =>
        Array.from({ length: 10 }, (_unused, i) => {
          const minute = (batch * 10 + i) / 100;
          return identify(user, `{"last":${batch * 10 + i},"of-${batch}":${i}}`, minute);
        }),
      );
      await send(tenant, events);
    }),
  );
  await untilDrained(ingest());
  const contacts: Contact[] = await untilContacts(tenant, users.length);
  for (const { traits } of contacts) {
    expect(traits.last).toBe(399);
    expect(Object.keys(traits)).toHaveLength(41);
  }
});

test('while Postgres is unavailable, batches and reports are accepted and take effect later', async () => {
  const address = new URL(inject('databaseUrls').system);
  const gate = await startTcpGate(address.hostname, Number(address.port));
  address.port = String(gate.port);
  const own = await startIngest({ threads: 1, env: { DATABASE_SYSTEM_URL: address.href } });
  try {
    const tenant = await liveTenant(own);
    gate.setOpen(false);
    for (let i = 0; i < 10; i++) {
      const events = [identify(`user-${i}`, `{"n":${i}}`)];
      expectAccepted(await postEvents(own, tenant.writeKey, events), 1);
      const body = { event_type: 'push.clicked', message_id: `m-${i}`, contact_id: 'c' };
      expect((await postPush(own, tenant, body)).status).toBe(200);
    }
    await own.kill9();
    await own.restart();
    expect(await contactsOf(tenant.workspaceId)).toEqual([]);
    gate.setOpen(true);
    const contacts = await untilContacts(tenant, 10);
    expect(contacts.map(({ traits }) => traits.n)).toEqual(Array.from({ length: 10 }, (_, i) => i));
    await eventually(async () => expect(await outboundOf(tenant.workspaceId)).toHaveLength(20));
    const [{ found } = {}] = await sql(
      'SELECT count(DISTINCT id)::int AS found FROM contacts WHERE workspace_id = $1',
      [tenant.workspaceId],
    );
    expect(found).toBe(10);
  } finally {
    await own.kill9();
    await gate.close();
  }
});
