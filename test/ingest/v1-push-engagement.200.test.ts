// The effects of a push report: a delivery and a card for analysts, and rows in Postgres for
// webhook endpoints.

import { describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import type { Answer } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { cardsOf, deliveriesOf, outboundOf, type PushBody, postPush } from '../harness/push.ts';
import type { Tenant } from '../harness/tenant.ts';
import { rows } from '../harness/warehouse.ts';

const ingest = useSharedIngest();
const NO_ID = '00000000-0000-0000-0000-000000000000';

function expectSuccess(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([200, '{"status":"SUCCESS"}']);
}

async function report(tenant: Tenant, body: PushBody): Promise<void> {
  expectSuccess(await postPush(ingest(), tenant, body));
}

/** Every report creates a card, so when the last card is stored, all other rows will be soon. */
function untilCards(tenant: Tenant, count: number) {
  return eventually(async () => {
    const cards = await cardsOf(tenant.workspaceId);
    expect(cards).toHaveLength(count);
    return cards;
  });
}

function untilDeliveries(tenant: Tenant, count: number) {
  return eventually(async () => {
    const deliveries = await deliveriesOf(tenant.workspaceId);
    expect(deliveries).toHaveLength(count);
    return deliveries;
  });
}

function untilOutbound(tenant: Tenant, count: number) {
  return eventually(async () => {
    const outbound = await outboundOf(tenant.workspaceId);
    expect(outbound).toHaveLength(count);
    return outbound;
  });
}

describe.concurrent('a report', () => {
  test('creates a delivery, a card and outbound events, with all its fields', async () => {
    const tenant = await liveTenant(ingest());
    const metadata = '{"price": 10.50, "ids": [9007199254740993], "note":"\\u00e9"}';
    const body = `{"event_type":"push.clicked","platform":"ios","property_id":"${tenant.propertyId}",
      "campaign_id":"campaign-1","message_id":"message-1","user_id":"user-1",
      "contact_id":"contact-1","anonymous_id":"device-1","metadata":${metadata},"app":"4.2"}`;
    expectSuccess(await postPush(ingest(), tenant, {}, { body }));

    const [delivery] = await untilDeliveries(tenant, 1);
    const ids = { campaign_id: 'campaign-1', message_id: 'message-1', user_id: 'user-1' };
    const known = { ...ids, contact_id: 'contact-1', anonymous_id: 'device-1', platform: 'ios' };
    expect(delivery).toEqual({
      ...known,
      property_id: tenant.propertyId,
      sdk_key_id: tenant.keyId,
      channel: 'push',
      delivery_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'clicked',
      event_type: 'push.clicked',
      metadata,
      extra: '{"app":"4.2"}',
      received_at: expect.any(String),
    });
    const { delivery_id, received_at } = delivery!;
    expect(Math.abs(Date.parse(received_at) - Date.now())).toBeLessThan(60_000);
    expect(await untilCards(tenant, 1)).toEqual([
      {
        ...known,
        property_id: tenant.propertyId,
        card_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: 'push.clicked',
        channel: 'push',
        delivery_id,
        details: `{"metadata":${metadata},"extra":{"app":"4.2"}}`,
        received_at,
      },
    ]);
    const payload = {
      ...known,
      delivery_id,
      channel: 'push',
      property_id: tenant.propertyId,
      metadata: JSON.parse(metadata) as unknown,
      occurred_at: received_at,
    };
    expect(await untilOutbound(tenant, 2)).toEqual(
      ['delivery.clicked', 'delivery.opened'].map(type => ({
        id: expect.any(String),
        type,
        payload,
        occurred_at: new Date(received_at),
      })),
    );
  });

  test.for([
    ['push.delivered', 'push.delivered', 'shown', ['delivery.delivered']],
    ['push.shown', 'push.shown', 'shown', ['delivery.delivered']],
    ['push.clicked', 'push.clicked', 'clicked', ['delivery.clicked', 'delivery.opened']],
    ['push.dismissed', 'push.dismissed', 'dismissed', []],
    ['delivered', 'push.delivered', 'shown', ['delivery.delivered']],
    ['clicked', 'push.clicked', 'clicked', ['delivery.clicked', 'delivery.opened']],
    ['dismissed', 'push.dismissed', 'dismissed', []],
  ] as const)('of %s is %s everywhere, status %s', async ([sent, kind, status, types]) => {
    const tenant = await liveTenant(ingest());
    await report(tenant, { event_type: sent, message_id: 'message-1', contact_id: 'contact-1' });
    const [delivery] = await untilDeliveries(tenant, 1);
    expect([delivery?.event_type, delivery?.status]).toEqual([kind, status]);
    expect((await untilCards(tenant, 1))[0]?.kind).toBe(kind);
    const outbound = await untilOutbound(tenant, types.length);
    expect(outbound.map(({ type }) => type)).toEqual(types);
  });

  test.for(['push.permission_denied', 'push.subscribed', 'push.resubscribed'])(
    'of %s creates a card without a delivery',
    async event_type => {
      const tenant = await liveTenant(ingest());
      const ids = { message_id: '', anonymous_id: 'device-1' };
      await report(tenant, { event_type, ...ids, metadata: { reason: 'no' } });
      const [card] = await untilCards(tenant, 1);
      expect(card).toMatchObject({
        kind: event_type,
        delivery_id: NO_ID,
        anonymous_id: 'device-1',
        details: '{"metadata":{"reason":"no"}}',
      });
      // A later delivery is stored after any row of this one.
      await report(tenant, { event_type: 'push.shown', message_id: 'message-1' });
      expect(await untilDeliveries(tenant, 1)).toMatchObject([{ message_id: 'message-1' }]);
      expect(await untilOutbound(tenant, 1)).toMatchObject([{ type: 'delivery.delivered' }]);
    },
  );

  test('user_id falls back to contact_id, absent or empty', async () => {
    const tenant = await liveTenant(ingest());
    const shown = { event_type: 'push.shown' };
    await report(tenant, { ...shown, message_id: 'm-1', contact_id: 'contact-1' });
    await report(tenant, { ...shown, message_id: 'm-2', contact_id: 'contact-1', user_id: '' });
    await report(tenant, { ...shown, message_id: 'm-3', contact_id: '', user_id: 'user-1' });
    const expected = [
      { message_id: 'm-1', user_id: 'contact-1', contact_id: 'contact-1' },
      { message_id: 'm-2', user_id: 'contact-1', contact_id: 'contact-1' },
      { message_id: 'm-3', user_id: 'user-1', contact_id: '' },
    ];
    expect(await untilDeliveries(tenant, 3)).toMatchObject(expected);
    expect(await untilCards(tenant, 3)).toMatchObject(expected);
    const outbound = await untilOutbound(tenant, 3);
    expect(outbound.map(({ payload }) => payload)).toMatchObject(expected);
  });

  test('nulls and empty strings count as absent', async () => {
    const tenant = await liveTenant(ingest());
    const ids = ['campaign_id', 'user_id', 'contact_id', 'anonymous_id'];
    for (const [message_id, value] of [
      ['m-1', ''],
      ['m-2', null],
      ['m-3', undefined],
    ] as const) {
      const unresolved = Object.fromEntries(ids.map(id => [id, value]));
      const metadata = value === '' ? undefined : value;
      await report(tenant, { event_type: 'push.shown', message_id, ...unresolved, metadata });
    }
    const empty = Object.fromEntries(ids.map(id => [id, '']));
    const deliveries = await untilDeliveries(tenant, 3);
    for (const delivery of deliveries) expect(delivery).toMatchObject({ ...empty, metadata: '' });
    for (const { payload } of await untilOutbound(tenant, 3))
      expect(payload).toMatchObject({ ...empty, metadata: {} });
    for (const card of await untilCards(tenant, 3))
      expect(card).toMatchObject({ ...empty, details: '' });
  });

  test('X-Property-Id is used if the body has no property_id', async () => {
    const tenant = await liveTenant(ingest());
    const shown = { event_type: 'push.shown' };
    const headers = { 'x-property-id': tenant.propertyId.toUpperCase() };
    for (const [message_id, property_id] of [
      ['m-1', undefined],
      ['m-2', ''],
      ['m-3', null],
    ]) {
      const body = { ...shown, message_id, property_id };
      expectSuccess(await postPush(ingest(), tenant, body, { headers }));
    }
    await report(tenant, { ...shown, message_id: 'm-1' });
    const found = await untilDeliveries(tenant, 3);
    expect(found.map(row => row.property_id)).toEqual(Array(3).fill(tenant.propertyId));
    for (const { payload } of await untilOutbound(tenant, 3))
      expect(payload.property_id).toBe(tenant.propertyId);
  });
});

describe.concurrent('a delivery', () => {
  test('is one message to one person, who is identified by different kinds of IDs', async () => {
    const tenant = await liveTenant(ingest());
    const shown = { event_type: 'push.shown', message_id: 'message-1' };
    for (const person of [
      { contact_id: 'x' },
      { contact_id: 'x', user_id: 'y', anonymous_id: 'z' },
    ])
      await report(tenant, { ...shown, ...person });
    // Outbound events follow the order of arrival, which is not defined across ingest threads. In
    // this test, the report that links contact x to user y arrives before any report on y alone.
    await untilOutbound(tenant, 1);
    for (const person of [
      { user_id: 'x' },
      { user_id: 'x', anonymous_id: 'z' },
      { anonymous_id: 'x' },
      {},
      { contact_id: 'y' },
    ])
      await report(tenant, { ...shown, ...person });
    await report(tenant, { ...shown, message_id: 'message-2', contact_id: 'x' });
    // The first message has deliveries to y, x, device x and an unknown person; the second to
    // contact x. Reports and the links between them become visible one after the other, so the
    // first five rows may be others.
    const found = await eventually(async () => {
      const deliveries = await deliveriesOf(tenant.workspaceId);
      expect(deliveries.map(row => `${row.message_id} of ${row.user_id}`).toSorted()).toEqual([
        'message-1 of ',
        'message-1 of ',
        'message-1 of x',
        'message-1 of y',
        'message-2 of x',
      ]);
      return deliveries;
    });
    expect(new Set(found.map(row => row.delivery_id)).size).toBe(5);
    await untilOutbound(tenant, 5);
  });

  test('of another tenant with the same IDs is different', async () => {
    const tenants = [await liveTenant(ingest()), await liveTenant(ingest())];
    for (const tenant of tenants)
      await report(tenant, { event_type: 'push.shown', message_id: 'm', contact_id: 'c' });
    const ids: string[] = [];
    for (const tenant of tenants) {
      ids.push((await untilDeliveries(tenant, 1))[0]!.delivery_id);
      await untilOutbound(tenant, 1);
    }
    expect(new Set(ids).size).toBe(2);
  });

  test('without a message_id is created for each report, with its own card and outbound event', async () => {
    const tenant = await liveTenant(ingest());
    const body = { event_type: 'push.delivered', message_id: '', contact_id: 'contact-1' };
    for (let i = 0; i < 3; i++) await report(tenant, body);
    const found = await untilDeliveries(tenant, 3);
    const cards = await untilCards(tenant, 3);
    const outbound = await untilOutbound(tenant, 3);
    const ids = found.map(row => row.delivery_id).sort();
    expect(new Set(ids).size).toBe(3);
    expect(cards.map(row => row.delivery_id).sort()).toEqual(ids);
    expect(outbound.map(({ payload }) => String(payload.delivery_id)).sort()).toEqual(ids);
  });
});

test('metadata that Postgres cannot store as sent is sent to webhooks in the nearest form', async () => {
  const tenant = await liveTenant(ingest());
  const metadata =
    '{"nul":"a\\u0000b","lone":"\\ud800","fine":"\\ud83d\\ude80","big":1e400000,"k\\u0000":[-1E-20000]}';
  const body = `{"event_type":"push.shown","platform":"web","property_id":"${tenant.propertyId}",
    "message_id":"m-1","contact_id":"c","metadata":${metadata}}`;
  expectSuccess(await postPush(ingest(), tenant, {}, { body }));
  await report(tenant, { event_type: 'push.shown', message_id: 'm-2', contact_id: 'c' });
  const [first] = await untilOutbound(tenant, 2);
  expect(first?.payload.metadata).toEqual({
    nul: 'a\ufffdb',
    lone: '\ufffd',
    fine: '🚀',
    big: '1e400000',
    'k\ufffd': ['-1E-20000'],
  });
  expect((await untilDeliveries(tenant, 2))[0]?.metadata).toBe(metadata);
});

test('push_funnel counts pushes by platform and campaign', async () => {
  const tenant = await liveTenant(ingest());
  const sent = { platform: 'web', campaign_id: 'a', contact_id: 'contact-1' };
  const furthest = ['clicked', 'clicked', 'push.shown', 'dismissed', 'push.shown', 'push.shown'];
  await reach(tenant, sent, furthest);
  await reach(tenant, { ...sent, platform: 'ios' }, ['dismissed', 'clicked', 'clicked']);
  await reach(tenant, { ...sent, campaign_id: 'b' }, ['push.delivered']);
  await report(tenant, { event_type: 'push.subscribed', campaign_id: 'a' });
  await untilDeliveries(tenant, 10);
  await untilCards(tenant, 20);
  const found = await rows<Record<string, string | number>>(
    `SELECT platform, campaign_id, sum(f.reached) AS reached, sum(f.clicked) AS clicked,
            sum(f.dismissed) AS dismissed, round(sum(f.click_rate * f.reached) / sum(f.reached), 3) AS rate
     FROM push_funnel AS f WHERE workspace_id = {workspaceId:UUID}
     GROUP BY platform, campaign_id ORDER BY campaign_id, platform`,
    { workspaceId: tenant.workspaceId },
  );
  const numbers = found.map(({ reached, clicked, dismissed, rate, ...rest }) => {
    return { ...rest, counts: [reached, clicked, dismissed, rate].map(Number) };
  });
  expect(numbers).toEqual([
    { platform: 'ios', campaign_id: 'a', counts: [3, 2, 1, 0.667] },
    { platform: 'web', campaign_id: 'a', counts: [6, 2, 1, 0.333] },
    { platform: 'web', campaign_id: 'b', counts: [1, 0, 0, 0] },
  ]);
});

/** Creates one delivery per status in `furthest`, with reports up to that status. */
async function reach(tenant: Tenant, sent: PushBody, furthest: readonly string[]): Promise<void> {
  for (const [number, event_type] of furthest.entries()) {
    const ids = {
      ...sent,
      message_id: `${String(sent.platform)}-${String(sent.campaign_id)}-${number}`,
    };
    await report(tenant, { ...ids, event_type: 'push.delivered' });
    if (event_type !== 'push.delivered') await report(tenant, { ...ids, event_type });
  }
}
