// The effects of a push report: a delivery and a card for analysts, and rows in Postgres for
// webhook endpoints.

import { describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { postPush } from '../harness/push.ts';
import {
  expectSuccess,
  pushReports,
  untilCards,
  untilDeliveries,
  untilOutbound,
} from './push-effects.ts';

const ingest = useSharedIngest();
const NO_ID = '00000000-0000-0000-0000-000000000000';

const { report } = pushReports(ingest);

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
