import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gatewayEventKey } from '../../../ingest/gateway/event-key.ts';
import { HINTS_MAX, workspaceHints } from '../../../ingest/gateway/workspace-hints.ts';
import { gatewayEventType } from '../../../schema/gateway/event-types.ts';
import { gatewayTimeMs } from '../../../schema/gateway/gateway-time.ts';
import {
  mintId,
  PLATFORM_CODE,
  workspaceCode,
  workspaceCodeOf,
} from '../../../schema/gateway/minted-id.ts';
import { parseGatewayEvent } from '../../../schema/gateway/parse-gateway-event.ts';
import { readExactObject, textField } from '../../../schema/values/exact-json.ts';
import { GATEWAY_SAMPLES } from '../../harness/gateway-webhook.ts';

const RUNS = process.env.TEST_LONG ? 20_000 : 500;
const parse = (value: unknown) => parseGatewayEvent(Buffer.from(JSON.stringify(value)));
const keyOf = (value: unknown) => {
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return gatewayEventKey(parseGatewayEvent(body), body);
};

describe('the key of an event', () => {
  test('of each sample', () => {
    const keys = GATEWAY_SAMPLES.map(([name, body]) => [
      name,
      keyOf(body.toString()).replace(/body:[0-9a-f]{64}$/, 'body:…'),
    ]);
    expect(Object.fromEntries(keys)).toEqual({
      'auto_refund.json': 'refund|1243460973|INITIATED',
      'dispute_closed.json':
        'dispute|433475257|dispute.closed|CHARGEBACK_MERCHANT_WON|2023-06-15T21:19:15+05:30',
      'dispute_updated.json':
        'dispute|433475256|dispute.updated|PRE_ARBITRATION_CREATED|2023-06-15T21:19:15+05:30',
      'payment_failed_via_link.json': 'payment|975677709|payment.failed|FAILED',
      'payment_link_expired.json': 'payment_link|1576979|EXPIRED|0.00|',
      'payment_link_paid.nested.json': 'payment_link|1576980|PAID|200.12|1021207',
      'settlement_success.json': 'settlement|738|settlement.succeeded',
      'subscription_auth_status.v2023-08-01.json':
        'mandate|4958103|mandate.status_changed|FAILED|FAILED',
      'subscription_auth_status.v2025-01-01.json':
        'mandate|4958102|mandate.status_changed|FAILED|FAILED',
      'subscription_auth_status.v2026-01-01.json':
        'mandate|4958101|mandate.status_changed|FAILED|FAILED',
      'subscription_card_expiry_reminder.json': 'subscription_notice|body:…',
      'subscription_controlled_execution.json': 'subscription_notice|body:…',
      'subscription_controlled_notification.json': 'subscription_notice|body:…',
      'subscription_payment_cancelled.v2023-08-01.json':
        'renewal|4958112|subscription.renewal_cancelled|CANCELLED|0',
      'subscription_payment_cancelled.v2025-01-01.json':
        'renewal|4958111|subscription.renewal_cancelled|CANCELLED|0',
      'subscription_payment_cancelled.v2026-01-01.json':
        'renewal|4958110|subscription.renewal_cancelled|CANCELLED|0',
      'subscription_payment_failed.v2023-08-01.json':
        'renewal|4958115|subscription.renewal_failed|FAILED|0',
      'subscription_payment_failed.v2025-01-01.json':
        'renewal|4958113|subscription.renewal_failed|FAILED|0',
      'subscription_payment_notification.v2023-08-01.json':
        'renewal|4958106|subscription.renewal_announced|INITIALIZED|0',
      'subscription_payment_notification.v2025-01-01.json':
        'renewal|4958105|subscription.renewal_announced|INITIALIZED|0',
      'subscription_payment_notification.v2026-01-01.json':
        'renewal|4958104|subscription.renewal_announced|INITIALIZED|0',
      'subscription_payment_success_auth.v2023-08-01.json':
        'renewal|4958109|subscription.renewal_succeeded|SUCCESS|0',
      'subscription_payment_success_auth.v2025-01-01.json':
        'renewal|4958108|subscription.renewal_succeeded|SUCCESS|0',
      'subscription_payment_success_auth.v2026-01-01.json':
        'renewal|4958107|subscription.renewal_succeeded|SUCCESS|0',
      'subscription_payment_success_charge.v2023-08-01.json':
        'renewal|4958116|subscription.renewal_succeeded|SUCCESS|0',
      'subscription_payment_success_charge.v2025-01-01.json':
        'renewal|4958114|subscription.renewal_succeeded|SUCCESS|0',
      'subscription_refund_status.v2023-08-01.json': 'subscription_refund|SUB_21ebb4bf-120|SUCCESS',
      'subscription_refund_status.v2025-01-01.json': 'subscription_refund|SUB_21ebb4bf-119|SUCCESS',
      'subscription_status_changed.v2023-08-01.json':
        'subscription|2239117|subscription.status_changed|ACTIVE|2023-01-03T11:16:10+05:30',
      'vendor_settlement_created.json':
        'vendor_settlement|49703|sampleVendor3|vendor_settlement.initiated',
      'vendor_settlement_success.inside.json':
        'vendor_settlement|49704|sampleVendor4|vendor_settlement.succeeded',
      'dispute_created.json':
        'dispute|433475258|dispute.created|DISPUTE_CREATED|2023-06-15T21:49:48+05:30',
      'payment_link_partially_paid.json': 'payment_link|1576977|PARTIALLY_PAID|55.00|1021206',
      'payment_success.json': 'payment|1453002795|payment.succeeded|SUCCESS',
      'payment_user_dropped.json': 'payment|2150264295|payment.dropped|USER_DROPPED',
      'refund_status.json': 'refund|11325632|SUCCESS',
      'subscription_payment_failed.v2026-01-01.json':
        'renewal|49585655|subscription.renewal_failed|FAILED|0',
      'subscription_payment_success_charge.v2026-01-01.json':
        'renewal|49585655|subscription.renewal_succeeded|SUCCESS|0',
      'subscription_status_changed.json':
        'subscription|23639356|subscription.status_changed|BANK_APPROVAL_PENDING|2025-08-07T10:31:35+05:30',
      'vendor_status_update.json':
        'vendor|status002|IN_BENE_CREATION|ACTION_REQUIRED|2023-06-08T15:10:37+05:30',
    });
  });

  const payment = (id: unknown, status = 'SUCCESS', type = 'PAYMENT_SUCCESS_WEBHOOK') => ({
    type,
    data: { payment: { cf_payment_id: id, payment_status: status } },
  });
  const failed = (retry: number) => ({
    type: 'SUBSCRIPTION_PAYMENT_FAILED',
    data: { cf_payment_id: '1', payment_status: 'FAILED', retry_attempts: retry },
  });
  const standing = (status: string, eventTime: string) => ({
    type: 'SUBSCRIPTION_STATUS_CHANGED',
    event_time: eventTime,
    data: { subscription_details: { cf_subscription_id: '1', subscription_status: status } },
  });

  test('the key differs for another state of the same object', () => {
    const apart = [
      payment('1', 'PENDING'),
      payment('1', 'SUCCESS'),
      payment('2', 'SUCCESS'),
      failed(0),
      failed(1),
      standing('ACTIVE', '2025-08-07T10:31:35+05:30'),
      standing('ON_HOLD', '2025-08-08T10:31:35+05:30'),
      standing('ACTIVE', '2025-08-09T10:31:35+05:30'),
    ];
    expect(new Set(apart.map(keyOf)).size).toBe(apart.length);
  });

  test('is the same for a number and its text, both spellings, and unknown fields', () => {
    expect(keyOf(payment(123))).toBe(keyOf(payment('123')));
    const huge = '90071992547409931234';
    expect(keyOf(JSON.stringify(payment(0)).replace(':0', `:${huge}`))).toBe(keyOf(payment(huge)));
    expect(keyOf({ ...payment('1'), more: true, event_time: 'later' })).toBe(keyOf(payment('1')));
    const named = { ...failed(0), type: 'subscription.renewal_failed' };
    expect(keyOf(named)).toBe(keyOf(failed(0)));
  });

  test('is derived from the bytes if the body lacks the required values', () => {
    for (const value of [{}, { type: 'NEW' }, { type: 'REFUND_STATUS_WEBHOOK', data: {} }, '{']) {
      const again = keyOf(value);
      expect(again).toMatch(/^\w+\|body:[0-9a-f]{64}$/);
      expect(keyOf(value)).toBe(again);
      expect(keyOf(`${typeof value === 'string' ? value : JSON.stringify(value)} `)).not.toBe(
        again,
      );
    }
  });

  test('is never ambiguous at the boundaries of its parts, and always short', () => {
    expect(keyOf(payment('a|payment.succeeded', 'B'))).not.toBe(keyOf(payment('a', 'B')));
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, c, d) => {
        fc.pre(![a, b, c, d].some(text => ['', 'null', 'NA'].includes(text)));
        const [one, other] = [keyOf(payment(a, b)), keyOf(payment(c, d))];
        expect(one === other).toBe(a === c && b === d);
        expect(one.length).toBeLessThanOrEqual(200);
      }),
      { numRuns: RUNS },
    );
  });
});

test('types in all spellings map to a family and a name', () => {
  expect(gatewayEventType('PAYMENT_LINK_EVENT').family).toBe('payment_link');
  expect(gatewayEventType('payment_link.abandoned')).toEqual({
    family: 'payment_link',
    name: 'payment_link.abandoned',
  });
  expect(gatewayEventType('mandate.activated')).toEqual({
    family: 'mandate',
    name: 'mandate.activated',
  });
  for (const type of ['', 'NEW_WEBHOOK', 'constructor.name', 'unknown.x', 'payment.', 'a.b.c'])
    expect(gatewayEventType(type)).toEqual({ family: 'unknown', name: '' });
  const inside = parse({ data: { type: 'VENDOR_SETTLEMENT_SUCCESS', event_time: '2025-01-01' } });
  expect(inside).toMatchObject({ name: 'vendor_settlement.succeeded', eventTime: '2025-01-01' });
});

describe('the gateway’s JSON', () => {
  test('is parsed like JSON.parse, except that numbers stay text', () => {
    const numbersAsText = (value: unknown): unknown => {
      if (typeof value === 'number') return JSON.stringify(value);
      if (Array.isArray(value)) return value.map(numbersAsText);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([key, each]) => [key, numbersAsText(each)]);
      return Object.fromEntries(entries);
    };
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (value, isSpaced) => {
        const text = isSpaced ? JSON.stringify(value, null, 2) : JSON.stringify(value);
        expect(readExactObject(text)).toEqual(numbersAsText(JSON.parse(text)));
      }),
      { numRuns: RUNS },
    );
    const exact = readExactObject('{"a":[2.00,-1.5e+3,12345678901234567890],"b\\"1":"2\\\\"}');
    expect(exact).toEqual({ a: ['2.00', '-1.5e+3', '12345678901234567890'], 'b"1': '2\\' });
  });

  test('is absent if the response has none', () => {
    const value = readExactObject('{"a":"null","b":"NA","c":"","d":null,"e":{"f":1},"g":[1]}');
    for (const key of ['a', 'b', 'c', 'd', 'e', 'g', 'toString', '__proto__'])
      expect(textField(value, key), key).toBeUndefined();
    expect(textField(value, 'e', 'f')).toBe('1');
    for (const text of ['', '[]', '{', '{"a":1}}', 'null', '1']) {
      expect(readExactObject(text), text).toEqual({});
    }
  });
});

test('times without a zone are in Indian time', () => {
  const noon = Date.UTC(2025, 0, 15, 6, 30);
  expect(gatewayTimeMs('2025-01-15T12:00:00+05:30')).toBe(noon);
  expect(gatewayTimeMs('2025-01-15 12:00:00+05:30')).toBe(noon);
  expect(gatewayTimeMs('2025-01-15T12:00:00')).toBe(noon);
  expect(gatewayTimeMs('2025-01-15T06:30:00Z')).toBe(noon);
  expect(gatewayTimeMs('2025-01-15')).toBe(Date.UTC(2025, 0, 14, 18, 30));
  expect(gatewayTimeMs('soon')).toBeUndefined();
});

describe('a minted ID', () => {
  const uuids = fc.uuid();

  test('meets the gateway’s rules, contains its workspace’s code, and differs by UUID and by kind', () => {
    const kinds = fc.constantFrom(
      ...(['order', 'link', 'refund', 'plan', 'subscription', 'vendor'] as const),
    );
    fc.assert(
      fc.property(kinds, kinds, uuids, uuids, uuids, (kind, kind2, workspaceId, one, other) => {
        const id = mintId(kind, workspaceId, one);
        expect(id).toMatch(/^[a-z0-9]{3,40}$/);
        expect(mintId(kind, workspaceId.toUpperCase(), one.toUpperCase())).toBe(id);
        expect(workspaceCodeOf(id)).toBe(workspaceCode(workspaceId));
        expect(mintId(kind2, workspaceId, one) === id).toBe(kind2 === kind);
        expect(mintId(kind, workspaceId, other) === id).toBe(one === other);
      }),
      { numRuns: RUNS },
    );
    expect(workspaceCodeOf(mintId('link', undefined, crypto.randomUUID()))).toBe(PLATFORM_CODE);
    for (const id of ['', 'order_OFR_2', 'CFPay_U1mgll3c0e9g_ehdcjjbtckf', `ord${'i'.repeat(36)}`])
      expect(workspaceCodeOf(id), id).toBeUndefined();
  });

  test('contains a hint to its workspace, and a body hints to at most two', () => {
    const [a, b, c] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    const data = {
      link_notes: { workspace_id: a },
      order: { order_id: mintId('order', b, c), order_tags: { workspace_id: 'no id' } },
      subscription_id: mintId('subscription', c, a),
    };
    const hints = workspaceHints(parse({ data }));
    expect(hints).toEqual([workspaceCode(a), workspaceCode(b)]);
    expect(hints).toHaveLength(HINTS_MAX);
    const details = { subscription_id: mintId('subscription', a, b), subscription_tags: null };
    for (const inside of [
      { subscription_details: details },
      { subscription_status_webhook: { subscription_details: details } },
      { subscription_status_webhook: { subscriptionId: details.subscription_id } },
    ])
      expect(workspaceHints(parse({ data: inside }))).toEqual([workspaceCode(a)]);
    const platform = mintId('order', undefined, a);
    expect(workspaceHints(parse({ data: { order_id: platform } }))).toEqual([]);
  });
});
