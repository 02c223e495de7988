// Webhooks that are signed with a secret of the platform, and forgeries.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { GATEWAY_BODY_BYTES_MAX } from '../../ingest/limits.ts';
import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';
import { signGatewayBody } from '../../schema/gateway/signature.ts';
import { WEBHOOK_PATH } from '../../schema/gateway/webhook-path.ts';
import { expectProblem } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { expectUnavailable, type GatedIngest, startGatedIngest } from '../harness/gated-ingest.ts';
import {
  ENCRYPTION_KEYS,
  expectAcknowledged,
  GATEWAY_SAMPLES,
  inboxRows,
  newSecret,
  paymentEvent,
  postWebhook,
  SIGNATURE_VECTORS,
} from '../harness/gateway-webhook.ts';
import { type Request, send } from '../harness/http.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { sql } from '../harness/tenant.ts';

const PRIMARY = SIGNATURE_VECTORS[0]!.secret;
const SECONDARY = newSecret();
const PREVIOUS_PRIMARY = newSecret();
const PREVIOUS_SECONDARY = newSecret();
const PLATFORM_SECRETS = [PRIMARY, PREVIOUS_PRIMARY, SECONDARY, PREVIOUS_SECONDARY];

let gated: GatedIngest;
beforeAll(async () => {
  gated = await startGatedIngest({
    ENCRYPTION_KEYS,
    GATEWAY_WEBHOOK_SECRET: PRIMARY,
    GATEWAY_WEBHOOK_SECRET_PREVIOUS: PREVIOUS_PRIMARY,
    GATEWAY_ABANDONED_CHECKOUT_SECRET: SECONDARY,
    GATEWAY_ABANDONED_CHECKOUT_SECRET_PREVIOUS: PREVIOUS_SECONDARY,
  });
});
afterAll(async () => {
  await gated?.stop();
});

const outcomes = async () => {
  const samples = await metrics(gated.ingest);
  return (outcome: string) => sumOf(samples, /^ingest_gateway_webhooks_total$/, { outcome });
};
const postSigned = (text: string, secret = PRIMARY, query = '') =>
  postWebhook(gated.ingest, text, { secret, query });
const postRaw = (request: Request) => send(gated.ingest.url + WEBHOOK_PATH, request);

describe('a signature over the exact bytes', () => {
  test.each(SIGNATURE_VECTORS)('$name', async ({ secret, timestamp, body, signature }) => {
    const headers = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature };
    expect(secret).toBe(PRIMARY);
    expectAcknowledged(await postRaw({ headers, body }));
    const rows = await sql('SELECT account_id FROM gateway_events WHERE body = $1', [
      Buffer.from(body),
    ]);
    expect(rows).toEqual([{ account_id: PLATFORM_ACCOUNT_ID }]);
    expectProblem(await postRaw({ headers, body: `${body} ` }), 401, 'INVALID_SIGNATURE');
  });

  test('is verified for chunked bodies without a length', async () => {
    const { id, text } = paymentEvent();
    const timestamp = '1746427759733';
    const headers = {
      'x-webhook-timestamp': timestamp,
      'x-webhook-signature': signGatewayBody(PRIMARY, timestamp, Buffer.from(text)),
    };
    const chunks = [text.slice(0, 10), text.slice(10)].map(part => Buffer.from(part));
    expectAcknowledged(await postRaw({ headers, chunks }));
    expect(await inboxRows(id)).toHaveLength(1);
  });
});

test('each of the platform’s secrets is accepted, and the row records which one was used', async () => {
  const events = PLATFORM_SECRETS.map(secret => ({ secret, ...paymentEvent() }));
  for (const { secret, text } of events) expectAcknowledged(await postSigned(text, secret));
  const rows = await Promise.all(events.map(async ({ id }) => (await inboxRows(id))[0]));
  expect(rows.map(row => [row?.verified_field, row?.verified_generation])).toEqual([
    ['webhook_secret', 'CURRENT'],
    ['webhook_secret', 'PREVIOUS'],
    ['abandoned_checkout_secret', 'CURRENT'],
    ['abandoned_checkout_secret', 'PREVIOUS'],
  ]);
});

describe('a forgery gets 401, is counted, and stores nothing', () => {
  const timestamp = '1746427759733';
  const { id, text } = paymentEvent();
  const body = Buffer.from(text);
  const good = signGatewayBody(PRIMARY, timestamp, body);
  const signed = (content: string | Buffer, at = timestamp) => ({
    'x-webhook-timestamp': at,
    'x-webhook-signature': signGatewayBody(PRIMARY, at, Buffer.from(content)),
  });
  const hex = Buffer.from(good, 'base64').toString('hex');
  const separated = signGatewayBody(PRIMARY, `${timestamp}.`, body);
  /** The same signature with different unused bits in its base64. */
  const loose = `${good.slice(0, -2)}${String.fromCharCode(good.charCodeAt(42) + 1)}=`;
  const only = (signature: string | string[], at: string | string[] = timestamp) => ({
    'x-webhook-timestamp': at,
    'x-webhook-signature': signature,
  });
  const withBom = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]);
  const manners: Record<string, Request> = {
    'no headers': { headers: {}, body },
    'no signature': { headers: { 'x-webhook-timestamp': timestamp }, body },
    'no timestamp': { headers: { 'x-webhook-signature': good }, body },
    'an empty signature': { headers: only(''), body },
    'two signatures, the right one first': { headers: only([good, hex]), body },
    'the right signature twice': { headers: only([good, good]), body },
    'two timestamps': { headers: only(good, [timestamp, timestamp]), body },
    'a dot between timestamp and body': { headers: only(separated), body },
    'a signature in hex': { headers: only(hex), body },
    'a signature cut short': { headers: only(good.slice(0, 40)), body },
    'a signature with more behind it': { headers: only(`${good}AAAA`), body },
    'base64 written otherwise': { headers: only(loose), body },
    'a signature of 31 bytes': { headers: only(Buffer.alloc(31).toString('base64')), body },
    zeros: { headers: only(Buffer.alloc(32).toString('base64')), body },
    'no secret at all': { headers: only(signGatewayBody('', timestamp, body)), body },
    'an unknown secret': { headers: only(signGatewayBody(newSecret(), timestamp, body)), body },
    'another timestamp': { headers: only(good, '1746427759734'), body },
    'a timestamp in words': { headers: signed(body, 'yesterday'), body },
    'a timestamp too short': { headers: signed(body, '174642775'), body },
    'a timestamp too long': { headers: signed(body, '17464277597330'), body },
    'a signed negative timestamp': { headers: signed(body, '-1746427759'), body },
    'a digit moved from the timestamp to the body': {
      headers: only(good, timestamp.slice(0, -1)),
      body: Buffer.from(`3${text}`),
    },
    'no body': { headers: signed(''), body: '' },
    'an array': { headers: signed(`[${text}]`), body: `[${text}]` },
    'a blank before the body': { headers: signed(` ${text}`), body: ` ${text}` },
    'a byte-order mark': { headers: signed(withBom), body: withBom },
    'parsed and written again': {
      headers: only(good),
      body: JSON.stringify(JSON.parse(text), null, 1),
    },
  };

  test.each([
    ['no body', 'The body must be a JSON object that starts at the first byte'],
    ['a byte-order mark', 'The body must be a JSON object that starts at the first byte'],
    [
      'a signature in hex',
      'x-webhook-signature or x-webhook-timestamp is missing, repeated or malformed',
    ],
    [
      'a timestamp in words',
      'x-webhook-signature or x-webhook-timestamp is missing, repeated or malformed',
    ],
    ['an unknown secret', 'The signature matches no known secret.'],
  ])('%s: the error names the reason', async (manner, text) => {
    const answer = await postRaw(manners[manner]!);
    expectProblem(answer, 401, 'INVALID_SIGNATURE');
    expect(answer.json().detail).toContain(text);
  });

  test('in many variants', async () => {
    const before = await outcomes();
    for (const [manner, request] of Object.entries(manners)) {
      const answer = await postRaw(request);
      expect([manner, answer.status]).toEqual([manner, 401]);
      expectProblem(answer, 401, 'INVALID_SIGNATURE');
    }
    const after = await outcomes();
    expect(after('forged') - before('forged')).toBe(Object.keys(manners).length);
    expect(await inboxRows(id)).toEqual([]);
    expect(gated.ingest.logs()).toContain('gateway webhook refused');
    for (const secret of PLATFORM_SECRETS) expect(gated.ingest.logs()).not.toContain(secret);
    // Control: the same body with valid headers is accepted.
    expectAcknowledged(await postRaw({ headers: only(good), body }));
    expect(await inboxRows(id)).toHaveLength(1);
  });
});

describe('an event', () => {
  test.each(GATEWAY_SAMPLES)('%s is stored once, as received', async (_name, body) => {
    const seconds = '1746427759';
    const requestId = { headers: { 'x-request-id': 'first-request' } };
    expectAcknowledged(await postWebhook(gated.ingest, body, { secret: PRIMARY, ...requestId }));
    // Replayed with other headers: only the timestamp is covered by the signature.
    const headers = {
      'x-webhook-version': 'another',
      'x-webhook-attempt': '7',
      'x-idempotency-key': newSecret(),
    };
    const again = { secret: PRIMARY, timestamp: seconds, headers };
    expectAcknowledged(await postWebhook(gated.ingest, body, again));
    expectAcknowledged(await postWebhook(gated.ingest, body, { secret: SECONDARY }));
    // Another file's API uses the same database and may have processed the event already.
    const rows = await sql(
      `SELECT *, state <> 'RECEIVED' OR attempts = 0 AND next_attempt_at <= now() AS is_due_or_taken
       FROM gateway_events WHERE body = $1`,
      [body],
    );
    expect(rows).toEqual([
      expect.objectContaining({
        account_id: PLATFORM_ACCOUNT_ID,
        type: typeOf(body),
        family: expect.not.stringMatching(/^unknown$/),
        version: '2025-01-01',
        event_at: expect.any(Date),
        request_id: 'first-request',
        workspace_id: null,
        is_due_or_taken: true,
      }),
    ]);
  });

  test('with any content is stored, because it was signed by the gateway', async () => {
    const mark = paymentEvent().id;
    const odd = [
      `{"mark":"${mark}","type":"SOMETHING_NEW","data":{}}`,
      `{"mark":"${mark}"`,
      `{"mark":"${mark}","type":"A\\u0000\\ud800B","data":{"payment":{"cf_payment_id":"\\u0000"}}}`,
      `{"mark":"${mark}","type":7,"data":[],"event_time":"then"}`,
      `{"mark":"${mark}","deep":${'['.repeat(50_000)}`,
      `{"mark":"${mark}","type":"PAYMENT_SUCCESS_WEBHOOK","data":{"payment":{"cf_payment_id":"${'9'.repeat(5_000)}"}}}`,
      `{"mark":"${mark}","type":"${'X'.repeat(5_000)}","event_time":"9999-01-01T00:00:00Z"}`,
    ];
    const notText = Buffer.concat([Buffer.from(`{"mark":"${mark}`), Buffer.from([0xff, 0xfe, 0])]);
    for (const body of [...odd, notText])
      expectAcknowledged(await postWebhook(gated.ingest, body, { secret: PRIMARY }));
    for (const body of odd) expectAcknowledged(await postSigned(body));
    const rows = await inboxRows(mark);
    expect(rows.map(row => row.body)).toEqual(
      expect.arrayContaining([...odd.map(body => Buffer.from(body)), notText]),
    );
    expect(rows).toHaveLength(odd.length + 1);
    expect(rows.map(row => row.type)).toEqual(
      expect.arrayContaining(['SOMETHING_NEW', 'A??B', '7', 'X'.repeat(100), '']),
    );
  });

  test('sent a hundred times concurrently is one row', async () => {
    const before = await outcomes();
    const { id, text } = paymentEvent();
    const answers = await Promise.all(Array.from({ length: 100 }, () => postSigned(text)));
    for (const answer of answers) expectAcknowledged(answer);
    expect(await inboxRows(id)).toHaveLength(1);
    const after = await outcomes();
    expect(after('stored') - before('stored')).toBe(1);
    expect(after('duplicate') - before('duplicate')).toBe(99);
  });

  test('of many kinds, sent concurrently in every order, are one row each', async () => {
    const events = Array.from({ length: 40 }, () => paymentEvent());
    const orders = [events, events.toReversed(), events.toSorted((a, b) => (a.id < b.id ? -1 : 1))];
    const answers = await Promise.all(orders.flat().map(({ text }) => postSigned(text)));
    for (const answer of answers) expectAcknowledged(answer);
    for (const { id } of events) expect(await inboxRows(id)).toHaveLength(1);
  });

  test('larger than the limit gets 413, and other methods get 405', async () => {
    const text = `{"a":"${'x'.repeat(GATEWAY_BODY_BYTES_MAX)}"}`;
    expectProblem(await postSigned(text), 413, 'PAYLOAD_TOO_LARGE');
    expectProblem(await postRaw({ method: 'GET' }), 405, 'METHOD_NOT_ALLOWED');
  });
});

describe('503, and nothing is lost', () => {
  test('while Postgres is unavailable', async () => {
    const { id, text } = paymentEvent();
    gated.setPostgresThere(false);
    await eventually(async () => expectUnavailable(await postSigned(text)));
    expectProblem(await postSigned(text, newSecret()), 401, 'INVALID_SIGNATURE');
    expect(await inboxRows(id)).toEqual([]);
    gated.setPostgresThere(true);
    await eventually(async () => expectAcknowledged(await postSigned(text)));
    expect(await inboxRows(id)).toHaveLength(1);
  });

  test('while Postgres does not respond in time', async () => {
    const { id, text } = paymentEvent();
    const blocker = new pg.Client({ connectionString: inject('databaseUrls').owner });
    await blocker.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE gateway_events IN EXCLUSIVE MODE');
      expectUnavailable(await postSigned(text));
    } finally {
      await blocker.end();
    }
    await eventually(async () => expectAcknowledged(await postSigned(text)));
    expect(await inboxRows(id)).toHaveLength(1);
  });
});

/** Some versions of vendor settlement events have the type inside `data`. */
function typeOf(body: Buffer): string {
  type Typed = { readonly type?: string };
  const { type, data } = JSON.parse(body.toString()) as Typed & { readonly data: Typed };
  return (type ?? data.type)!;
}
