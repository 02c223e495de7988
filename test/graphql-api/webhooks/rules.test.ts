import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { effectsOf } from '../../../graphql-api/payments/facts/effects-of-fact.ts';
import type { GatewayFact } from '../../../graphql-api/payments/facts/facts.ts';
import {
  FIRST_PACE,
  nextPace,
  PROMPT_MAX,
} from '../../../graphql-api/webhooks/dispatch/endpoint-pace.ts';
import {
  ENDPOINT_DISABLED_TYPE,
  EVENT_TYPES,
  isKnownChoice,
  TEST_EVENT_TYPE,
} from '../../../graphql-api/webhooks/event-types.ts';
import type { WebhookOutcome } from '../../../graphql-api/webhooks/outcomes.ts';
import {
  RETRY_DELAYS_MS,
  readRetryAfterMs,
  retryDelayMs,
} from '../../../graphql-api/webhooks/schedule.ts';
import { newWebhookSecret, signatureHeader } from '../../../graphql-api/webhooks/signature.ts';
import { PUSH_EVENT_TYPES } from '../../../ingest/accept/normalise-push-event.ts';
import { pushOutcome } from '../../../ingest/accept/push-delivery.ts';
import { wordsOf } from './words-of.ts';

describe('signatures', () => {
  const verify = (
    secret: string,
    signed: { id: string; timestamp: number; body: string },
    header: string,
  ) =>
    new Webhook(secret).verify(signed.body, {
      'webhook-id': signed.id,
      'webhook-timestamp': String(signed.timestamp),
      'webhook-signature': header,
    });

  test('are what the standard’s own package takes, during a rotation by either secret', () => {
    const [current, previous, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const signed = {
      id: crypto.randomUUID(),
      timestamp: Math.floor(Date.now() / 1000),
      body: '{"type":"delivery.opened","data":{"name":"Zoë ☃"}}',
    };
    const header = signatureHeader([current, previous], signed);
    expect(header).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    expect(verify(current, signed, header)).toEqual(JSON.parse(signed.body));
    expect(verify(previous, signed, header)).toEqual(JSON.parse(signed.body));
    expect(() => verify(other, signed, header)).toThrow();
    const changed = { ...signed, body: signed.body.replace('opened', 'closed') };
    expect(() => verify(current, changed, header)).toThrow();
  });
  test('secrets have the standard’s form, and never repeat', () => {
    const secrets = Array.from({ length: 100 }, () => newWebhookSecret());
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
      const bytes = Buffer.from(secret.slice(6), 'base64').length;
      expect(bytes).toBeGreaterThanOrEqual(24);
      expect(bytes).toBeLessThanOrEqual(64);
    }
  });
});

describe('the schedule', () => {
  test('is the standard’s, with jitter, and ends', () => {
    expect(RETRY_DELAYS_MS.map(ms => ms / 1000)).toEqual([
      5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ]);
    expect(retryDelayMs({ failures: 1, random: 0 })).toBe(5_000);
    expect(retryDelayMs({ failures: 1, random: 1 })).toBe(6_000);
    expect(retryDelayMs({ failures: 9, random: 0 })).toBe(86_400_000);
    expect(retryDelayMs({ failures: 10, random: 0 })).toBeUndefined();
  });
  test('waits longer where it is asked to, at most a day', () => {
    expect(retryDelayMs({ failures: 1, retryAfterMs: 60_000, random: 0 })).toBe(60_000);
    expect(retryDelayMs({ failures: 2, retryAfterMs: 60_000, random: 0 })).toBe(300_000);
    expect(retryDelayMs({ failures: 1, retryAfterMs: 9e9, random: 0 })).toBe(86_400_000);
  });
  test('reads Retry-After as seconds and as a date, and nothing else', () => {
    const nowMs = Date.UTC(2026, 0, 15, 12);
    expect(readRetryAfterMs('120', nowMs)).toBe(120_000);
    expect(readRetryAfterMs(' 7 ', nowMs)).toBe(7_000);
    expect(readRetryAfterMs('Thu, 15 Jan 2026 12:01:30 GMT', nowMs)).toBe(90_000);
    for (const header of [
      undefined,
      '',
      '0',
      '-5',
      '1.5',
      'soon',
      '1e9',
      '99999999999',
      'Thu, 15 Jan 2026 11:00:00 GMT',
      'Thu, 99 Foo 2026 12:01:30 GMT',
      '2026-01-16',
    ])
      expect(readRetryAfterMs(header, nowMs), header).toBeUndefined();
  });
});

describe('the pace', () => {
  const attempted = (outcome: WebhookOutcome, latencyMs = 5) => ({
    outcome,
    latencyMs,
    reason: '',
  });
  const after = (...attempts: readonly ReturnType<typeof attempted>[]) =>
    attempts.reduce(nextPace, FIRST_PACE);

  test('grows with each answer, to a limit', () => {
    expect(after(attempted('DELIVERED'))).toEqual({ window: FIRST_PACE.window + 1, isSlow: false });
    const many = after(...Array.from({ length: 5_000 }, () => attempted('DELIVERED')));
    expect(many.window).toBeLessThan(PROMPT_MAX);
  });
  test('of one that hangs or is slow is one at a time, apart from the others', () => {
    expect(after(attempted('TIMED_OUT', 20_000))).toEqual({ window: 1, isSlow: true });
    expect(after(attempted('DELIVERED', 3_000))).toEqual({ window: 1, isSlow: true });
    expect(after(attempted('CONNECTION_FAILED'))).toMatchObject({ isSlow: true });
  });
  test('comes back with the first quick answer', () => {
    expect(after(attempted('TIMED_OUT'), attempted('DELIVERED'))).toMatchObject({ isSlow: false });
  });
  test('never comes to an end', () => {
    const failures = Array.from({ length: 50 }, () => attempted('REFUSED'));
    expect(after(...failures).window).toBe(1);
  });
});

describe('the catalogue', () => {
  const types = new Set(EVENT_TYPES.map(({ type }) => type));

  test('names each type once, with a line about it', () => {
    expect(types.size).toBe(EVENT_TYPES.length);
    for (const { type, description } of EVENT_TYPES) {
      expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
      expect(description).toMatch(/^[A-Z].+\.$/);
    }
  });
  test('has what push reports tell', () => {
    const report = { workspaceId: '', propertyId: '', messageId: 'm', userId: 'u', contactId: '' };
    const told = PUSH_EVENT_TYPES.flatMap(eventType => {
      const { delivery } = pushOutcome({ ...report, eventType, anonymousId: '' }, () => '');
      return delivery?.notices ?? [];
    }).flatMap(({ type }) => (type === '' ? [] : [type]));
    expect(told).toHaveLength(4);
    expect(told.filter(type => !types.has(type))).toEqual([]);
  });
  test('has what is told of templates, of endpoints, and to try one', () => {
    for (const type of [
      'template.approved',
      'template.rejected',
      'template.approval_overdue',
      ENDPOINT_DISABLED_TYPE,
      TEST_EVENT_TYPE,
    ])
      expect(types).toContain(type);
  });
  test('has what the gateway’s facts tell, whatever their status', () => {
    const told = gatewayFacts().flatMap(fact =>
      effectsOf(fact, { objectId: 'id', linkId: 'link' }).map(({ name }) => name),
    );
    expect(new Set(told).size).toBeGreaterThan(40);
    expect(told.filter(type => !types.has(type))).toEqual([]);
  });
  test('can be subscribed to by type and by family', () => {
    expect(['payment.failed', 'payment.*'].every(isKnownChoice)).toBe(true);
    expect(['payment', '*', 'payment.**', 'payments.*', ''].some(isKnownChoice)).toBe(false);
  });
});

/** Facts of each kind, with every status that the rules handle. */
function gatewayFacts(): readonly GatewayFact[] {
  const of = (kind: string, statuses: readonly string[], more: object = {}) =>
    statuses.map(status => ({ kind, status, atMs: 1, ...more }) as unknown as GatewayFact);
  const payments = ['PENDING', 'USER_DROPPED', 'CANCELLED', 'VOID', 'FAILED', 'SUCCESS'];
  const payouts = ['CREATED', 'INITIATED', 'FAILED', 'SUCCESS', 'REVERSED'];
  return [
    ...['ONE_TIME', 'RENEWAL', 'MANDATE_AUTHORIZATION'].flatMap(paymentKind =>
      of('payment', payments, { paymentKind, retryAttempts: 0, cfPaymentId: '1' }),
    ),
    ...of('link', ['PARTIALLY_PAID', 'PAID', 'EXPIRED', 'CANCELLED'], { amountPaidMinor: 0n }),
    ...of('order', ['ACTIVE', 'PAID', 'EXPIRED', 'TERMINATED']),
    ...of('refund', [
      'INITIALIZED',
      'PENDING',
      'ONHOLD',
      'CANCELLED',
      'CANCEL',
      'FAILED',
      'SUCCESS',
    ]),
    ...of(
      'subscription',
      wordsOf(`
      INITIALISED INITIALIZED BANK_APPROVAL_PENDING ACTIVE ON_HOLD PAUSED
      CUSTOMER_PAUSED CARD_EXPIRED LINK_EXPIRED COMPLETED EXPIRED CANCELLED
      CUSTOMER_CANCELLED`),
    ),
    ...of(
      'dispute',
      wordsOf(`
        DISPUTE_CREATED DISPUTE_DOCS_RECEIVED DISPUTE_MERCHANT_WON
        DISPUTE_MERCHANT_LOST DISPUTE_MERCHANT_ACCEPTED`),
      { type: 'DISPUTE' },
    ),
    ...of('vendor', ['ACTIVE']),
    ...of('settlement', payouts),
    ...of('settlement', payouts, { vendorId: 'v' }),
    ...[
      'renewal_announced',
      'card_expiring',
      'notification_status_changed',
      'execution_status_changed',
    ].flatMap(word => of('notice', ['x'], { name: `subscription.${word}`, about: 'subscription' })),
    ...of('notice', ['x'], { name: 'payment_link.abandoned', about: 'link' }),
  ];
}
