import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missingSecret, readGatewayConfig } from '../../../ingest/gateway/gateway-config.ts';
import { verifyWebhook } from '../../../ingest/gateway/verify-webhook.ts';
import type { WebhookSecret } from '../../../ingest/gateway/webhook-secrets.ts';
import {
  decodeSignature,
  findSigner,
  parseTimestamp,
  signGatewayBody,
} from '../../../schema/gateway/signature.ts';
import { SIGNATURE_VECTORS } from '../../harness/gateway-webhook.ts';

const RUNS = process.env.TEST_LONG ? 20_000 : 500;
const bytes = fc.uint8Array({ maxLength: 300 }).map(rest => Buffer.from([0x7b, ...rest]));
const secret = fc.string({ minLength: 1, maxLength: 60 });
const timestamp = fc
  .integer({ min: 1_000_000_000, max: 9_999_999_999_999 })
  .map(number => String(number));

const isSignedBy = (key: string, at: string, body: Uint8Array, signature: string) => {
  const decoded = decodeSignature(signature);
  if (decoded === undefined || parseTimestamp(at) === undefined) return false;
  const signed = { timestamp: at, body, signature: decoded };
  return findSigner([{ secret: key }], signed) !== undefined;
};

describe('a signature', () => {
  test.each(SIGNATURE_VECTORS)('$name', vector => {
    const body = Buffer.from(vector.body);
    expect(signGatewayBody(vector.secret, vector.timestamp, body)).toBe(vector.signature);
    expect(isSignedBy(vector.secret, vector.timestamp, body, vector.signature)).toBe(true);
  });

  test('is valid only for the exact values that were signed', () => {
    const change = fc.record({
      part: fc.constantFrom('secret', 'timestamp', 'body', 'signature'),
      at: fc.nat(),
      by: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(secret, timestamp, bytes, change, (key, at, body, { part, at: place, by }) => {
        const signature = signGatewayBody(key, at, body);
        expect(isSignedBy(key, at, body, signature)).toBe(true);
        const digit = (text: string) => {
          const index = place % text.length;
          const changed = (Number(text[index]) + by) % 10;
          return `${text.slice(0, index)}${changed}${text.slice(index + 1)}`;
        };
        const flipped = (given: Uint8Array) => {
          const copy = Buffer.from(given);
          const index = place % copy.length;
          copy[index] = copy[index]! ^ by;
          return copy;
        };
        const tampered = {
          // Prepended: an HMAC key with a zero byte appended is the same key.
          secret: () => isSignedBy(`${by}${key}`, at, body, signature),
          timestamp: () => isSignedBy(key, digit(at), body, signature),
          body: () => isSignedBy(key, at, flipped(body), signature),
          signature: () =>
            isSignedBy(key, at, body, flipped(Buffer.from(signature, 'base64')).toString('base64')),
        };
        expect(tampered[part as keyof typeof tampered]()).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  test('is accepted only in the canonical encoding of 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), given => {
        const text = Buffer.from(given).toString('base64');
        expect(decodeSignature(text) !== undefined).toBe(given.length === 32);
      }),
      { numRuns: RUNS },
    );
    const good = SIGNATURE_VECTORS[0]!.signature;
    const odd = [
      ` ${good}`,
      `${good}\n`,
      good.replace('=', ''),
      `${good}=`,
      good.replace('=', '%3D'),
    ];
    for (const text of odd) expect(decodeSignature(text), text).toBeUndefined();
  });
});

test('a timestamp is seconds or milliseconds, by its digits', () => {
  expect(parseTimestamp('1746427759')).toBe(1_746_427_759_000);
  expect(parseTimestamp('1746427759733')).toBe(1_746_427_759_733);
  for (const text of ['', '174642775', '17464277597331', '1746427759.7', '+1746427759', '1e10'])
    expect(parseTimestamp(text), text).toBeUndefined();
});

test('the platform’s secrets are tried in order of use, and a single one causes a warning', () => {
  const all = readGatewayConfig({
    GATEWAY_ABANDONED_CHECKOUT_SECRET: 'c',
    GATEWAY_ABANDONED_CHECKOUT_SECRET_PREVIOUS: 'd',
    GATEWAY_WEBHOOK_SECRET: 'a',
    GATEWAY_WEBHOOK_SECRET_PREVIOUS: 'b',
    GATEWAY_WEBHOOK_TOLERANCE_SECONDS: 300,
  });
  expect(all.platformSecrets.map(each => each.secret)).toEqual(['a', 'b', 'c', 'd']);
  expect(all.toleranceMs).toBe(300_000);
  expect(missingSecret(all)).toBeUndefined();
  const missing = (values: object) => missingSecret(readGatewayConfig(values));
  expect(missing({})).toBeUndefined();
  expect(missing({ GATEWAY_WEBHOOK_SECRET: 'a' })).toBe('GATEWAY_ABANDONED_CHECKOUT_SECRET');
  expect(missing({ GATEWAY_ABANDONED_CHECKOUT_SECRET: 'a' })).toBe('GATEWAY_WEBHOOK_SECRET');
  // The previous secret is being retired, so it does not replace the current one.
  expect(
    missing({ GATEWAY_WEBHOOK_SECRET: 'a', GATEWAY_ABANDONED_CHECKOUT_SECRET_PREVIOUS: 'd' }),
  ).toBe('GATEWAY_ABANDONED_CHECKOUT_SECRET');
});

describe('a tolerance', () => {
  const key: WebhookSecret = {
    accountId: 'platform',
    field: 'webhook_secret',
    generation: 'CURRENT',
    secret: 'secret-of-a-test',
    expiresAtMs: Infinity,
  };
  const SIGNED_AT_MS = 1_746_427_759_000;
  const body = Buffer.from('{}');
  const refusalAt = (at: string, receivedAtMs: number, toleranceMs: number | undefined) => {
    const webhookHeaders = [
      ['x-webhook-timestamp', at],
      ['x-webhook-signature', signGatewayBody(key.secret, at, body)],
    ] as const;
    const secrets = { platform: [key], of: () => [] };
    const verdict = verifyWebhook(
      { query: '', webhookHeaders, body, receivedAtMs },
      { secrets, areWorkspacesKnown: true, toleranceMs },
    );
    return 'refusal' in verdict ? verdict.refusal : undefined;
  };

  test.each([
    [0, undefined],
    [300_000, undefined],
    [-300_000, undefined],
    [300_001, 'too old'],
    [-300_001, 'too old'],
  ])('of five minutes: %i ms away', (awayMs, refusal) => {
    const receivedAtMs = SIGNED_AT_MS + awayMs;
    expect(refusalAt(String(SIGNED_AT_MS), receivedAtMs, 300_000)).toBe(refusal);
    expect(refusalAt(String(SIGNED_AT_MS / 1000), receivedAtMs, 300_000)).toBe(refusal);
  });

  test('is unlimited unless configured: the gateway retries for hours', () => {
    const month = 30 * 24 * 3_600_000;
    expect(refusalAt(String(SIGNED_AT_MS), SIGNED_AT_MS + month, undefined)).toBeUndefined();
    expect(refusalAt(String(SIGNED_AT_MS), SIGNED_AT_MS - month, undefined)).toBeUndefined();
  });
});
