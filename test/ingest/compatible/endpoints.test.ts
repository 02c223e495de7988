// The endpoints for other vendors' clients, on a real ingest: authentication, accepted forms of
// requests, stored rows and responses.

import { beforeAll, describe, expect, test } from 'vitest';
import { BATCH_PATHS, EVENT_PATHS, JITSU_PATHS } from '../../../ingest/compatible/paths.ts';
import { batchText, eventText, newMessageId } from '../../harness/batch.ts';
import { expectProblem, JSON_TYPE, liveTenant, post } from '../../harness/batch-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { type Answer, compress, send } from '../../harness/http.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { storedEvent, storedEvents } from '../../harness/stored-events.ts';
import type { Tenant } from '../../harness/tenant.ts';
import { countEvents, rejectedEvents } from '../../harness/warehouse.ts';

const FORM = 'application/x-www-form-urlencoded';
const TYPES: Readonly<Record<string, string>> = { ...EVENT_PATHS, ...JITSU_PATHS };
const PATHS = [...Object.keys(TYPES), ...BATCH_PATHS];

const ingest = useSharedIngest();
let tenant: Tenant;
let contract: Tenant;
beforeAll(async () => {
  [tenant, contract] = await Promise.all([
    liveTenant(ingest(), { accepts: 'COMPATIBLE' }),
    liveTenant(ingest()),
  ]);
});

type Headers = Readonly<Record<string, string>>;

function sendTo(path: string, body: string | Uint8Array, headers: Headers = {}): Promise<Answer> {
  return send(`${ingest().url}${path}`, { body, headers: { ...JSON_TYPE, ...headers } });
}

function basic({ writeKey }: Pick<Tenant, 'writeKey'>): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}` };
}

function bodyOf(path: string, event: Record<string, unknown>): string {
  return JSON.stringify(path in TYPES ? event : { batch: [{ type: 'page', ...event }] });
}

/** Expects an error in the form that these clients understand. */
function expectForeignProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  const { detail, ...others } = answer.json();
  expect(others).toMatchObject({ code, message: detail });
  expect(detail).toMatch(/./);
}

describe.concurrent('an event is stored with the type of its path', () => {
  test.for(PATHS)('%s', async path => {
    const messageId = newMessageId();
    const event = { event: 'e', userId: 'u', messageId, integrations: { All: true } };
    const answer = await sendTo(path, bodyOf(path, event), basic(tenant));
    expect([answer.status, answer.text]).toEqual([200, '{"status":"SUCCESS","accepted":1}']);
    expect(await storedEvent(tenant.workspaceId, messageId)).toMatchObject({
      type: TYPES[path] ?? 'page',
      event: 'e',
      user_id: 'u',
      anonymous_id: 'u',
      session_id: expect.stringMatching(/^u:\d{4}-\d{2}-\d{2}$/),
      extra: '{"integrations":{"All":true}}',
    });
  });
});

describe.concurrent('the key', () => {
  const keys: readonly [string, (key: string) => Headers][] = [
    ['in Basic auth', writeKey => basic({ writeKey })],
    ['as a bearer token', writeKey => ({ authorization: `Bearer ${writeKey}` })],
    ['in the header of the contract', writeKey => ({ 'x-service-write-key': writeKey })],
  ];
  test.for(keys)('%s', async ([, headersOf]) => {
    for (const path of ['/v1/track', '/v1/b', '/v1/batch']) {
      const body = bodyOf(path, { event: 'e', userId: 'u', messageId: newMessageId() });
      expect((await sendTo(path, body, headersOf(tenant.writeKey))).status, path).toBe(200);
    }
  });

  test('in the query', async () => {
    const body = bodyOf('/beacon/v1/batch', { event: 'e', userId: 'u', messageId: newMessageId() });
    for (const path of ['/beacon/v1/batch', '/v1/batch'])
      expect((await sendTo(`${path}?writeKey=${tenant.writeKey}`, body)).status, path).toBe(200);
  });

  test('of Jitsu’s client ends at the colon', async () => {
    for (const writeKey of [`${tenant.writeKey}:***`, `${tenant.writeKey}:`, tenant.writeKey]) {
      const event = { event: 'e', userId: 'u', messageId: newMessageId(), writeKey };
      const answer = await sendTo('/api/s/track', JSON.stringify(event));
      expect([writeKey, answer.status]).toEqual([writeKey, 200]);
    }
    const masked = JSON.stringify({ event: 'e', userId: 'u', writeKey: '***' });
    expectForeignProblem(await sendTo('/api/s/track', masked), 401, 'INVALID_WRITE_KEY');
  });

  test('in the body wins over headers', async () => {
    const { writeKey } = tenant;
    const body = JSON.stringify({ event: 'e', userId: 'u', messageId: newMessageId(), writeKey });
    expect((await sendTo('/v1/track', body, basic(contract))).status).toBe(200);
    const foreign = JSON.stringify({ event: 'e', userId: 'u', writeKey: contract.writeKey });
    const answer = await sendTo('/v1/track', foreign, basic(tenant));
    expectForeignProblem(answer, 403, 'CONTRACT_ONLY');
  });

  test.for(PATHS)('is unknown or missing for %s', async path => {
    const body = bodyOf(path, { event: 'e', userId: 'u' });
    expectForeignProblem(await sendTo(path, body), 401, 'INVALID_WRITE_KEY');
    const unknown = await sendTo(path, body, basic({ writeKey: 'wk_unknown' }));
    expectForeignProblem(unknown, 401, 'INVALID_WRITE_KEY');
  });

  test.for(PATHS)('does not allow it on %s', async path => {
    const body = bodyOf(path, { event: 'e', userId: 'u' });
    expectForeignProblem(await sendTo(path, body, basic(contract)), 403, 'CONTRACT_ONLY');
  });
});

describe.concurrent('/v1/batch for a key that accepts only the contract', () => {
  const event = eventText({ anonymousId: undefined });
  test.for<[string, number, string, (key: Tenant) => [string, Headers]]>([
    ['without a key in the body', 400, 'MISSING_WRITE_KEY', key => ['{}', basic(key)]],
    [
      'as a form',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      key => [batchText(key.writeKey, [eventText()]), { 'content-type': FORM }],
    ],
    [
      'as a form, with its key in a header',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      key => [batchText('', [eventText()]), { 'content-type': FORM, ...basic(key) }],
    ],
    ['not JSON', 400, 'MALFORMED_JSON', key => ['{', basic(key)]],
    [
      'with too many events',
      400,
      'TOO_MANY_EVENTS',
      key => [
        batchText(
          key.writeKey,
          Array.from({ length: 101 }, () => event),
        ),
        basic(key),
      ],
    ],
  ])('%s is still refused', async ([, status, code, requestOf]) => {
    const [body, headers] = requestOf(contract);
    expectProblem(await post(ingest(), body, { headers }), status, code);
  });

  test('missing values are not filled in', async () => {
    const answer = await post(ingest(), batchText(contract.writeKey, [event]));
    expect(answer.json()).toMatchObject({
      code: 'EVENTS_REJECTED',
      rejected: [{ code: 'MISSING_FIELD' }],
    });
    expect(answer.json()).not.toHaveProperty('message');
  });
});

describe.concurrent('a body', () => {
  const types = ['application/json', 'application/json; charset=utf-8', 'text/plain', FORM, ''];
  test.for(types)('of type "%s", plain and compressed', async type => {
    const ids: string[] = [];
    for (const path of ['/v1/track', '/v1/import', '/v1/batch'])
      for (const encoding of ['', 'gzip', 'zstd'] as const) {
        const messageId = newMessageId();
        const { writeKey } = tenant;
        const event = { event: 'e', userId: 'u', messageId };
        const body =
          path === '/v1/track'
            ? JSON.stringify({ ...event, writeKey })
            : JSON.stringify({ batch: [{ type: 'track', ...event }], writeKey });
        const sent = encoding === '' ? body : compress(encoding, body);
        const answer = await send(`${ingest().url}${path}`, {
          body: sent,
          headers: {
            ...(type === '' ? {} : { 'content-type': type }),
            ...(encoding === '' ? {} : { 'content-encoding': encoding }),
          },
        });
        expect([path, encoding, answer.status, answer.text]).toEqual([
          path,
          encoding,
          200,
          expect.any(String),
        ]);
        ids.push(messageId);
      }
    await storedEvents(tenant.workspaceId, ids);
  });

  test.for<[string, string, Headers, number, string]>([
    ['/v1/t', '{"a":', {}, 400, 'MALFORMED_JSON'],
    ['/v1/t', '', {}, 400, 'MALFORMED_JSON'],
    ['/v1/t', '[]', {}, 400, 'INVALID_BODY'],
    ['/v1/b', '{}', {}, 400, 'INVALID_BATCH'],
    ['/v1/b', '{"batch":[]}', {}, 400, 'EMPTY_BATCH'],
    ['/v1/batch', '{"batch":[]}', {}, 400, 'EMPTY_BATCH'],
    ['/v1/b', '{"batch":[{}],"sentAt":"soon"}', {}, 400, 'INVALID_SENT_AT'],
    ['/v1/t', '{}', { 'content-type': 'text/html' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['/v1/t', '{}', { 'content-encoding': 'lzw' }, 415, 'UNSUPPORTED_ENCODING'],
    ['/v1/t', '{}', { 'content-encoding': 'gzip' }, 400, 'MALFORMED_ENCODING'],
    ['/v1/t', '{}', { 'x-organization-id': 'other' }, 403, 'TENANT_MISMATCH'],
  ])('%s %s %j is refused: %s %s', async ([path, body, headers, status, code]) => {
    const answer = await sendTo(path, body, { ...basic(tenant), ...headers });
    expectForeignProblem(answer, status, code);
  });

  test('that is sent again is stored once, even without a message ID or its own time', async () => {
    const own = await liveTenant(ingest(), { accepts: 'COMPATIBLE' });
    const body = '{"type":"page","userId":"u","sentAt":"2026-11-20T10:00:00Z"}';
    for (let time = 0; time < 2; time++)
      expect((await sendTo('/v1/page', body, basic(own))).status).toBe(200);
    const other = '{"type":"page","userId":"v","messageId":"last"}';
    expect((await sendTo('/v1/page', other, basic(own))).status).toBe(200);
    await storedEvent(own.workspaceId, 'last');
    // Two threads may insert the events in any order.
    await eventually(async () => expect(await countEvents(own.workspaceId)).toBeGreaterThan(1));
    expect(await countEvents(own.workspaceId)).toBe(2);
  });
});

test('250 events are stored, and a rejected one is identified by its position', async () => {
  const own = await liveTenant(ingest(), { accepts: 'COMPATIBLE' });
  const ids = Array.from({ length: 250 }, (_, n) => `event-${n}`);
  const batch = ids.map((messageId, n) => ({
    type: n === 170 ? 'poke' : 'page',
    userId: 'u',
    messageId,
  }));
  const answer = await sendTo('/v1/batch', JSON.stringify({ batch }), basic(own));
  expectForeignProblem(answer, 400, 'EVENTS_REJECTED');
  expect(answer.json()).toMatchObject({
    accepted: 249,
    rejected: [{ index: 170, messageId: 'event-170', code: 'UNKNOWN_EVENT_TYPE' }],
  });
  await storedEvents(
    own.workspaceId,
    ids.filter(id => id !== 'event-170'),
  );
  await rejectedEvents(own.workspaceId, 1);
});

test('the caps of the key count each event', async () => {
  const capped = await liveTenant(ingest(), { accepts: 'COMPATIBLE', hourCap: 3 });
  const batch = (count: number) =>
    JSON.stringify({ batch: Array.from({ length: count }, () => ({ type: 'page', userId: 'u' })) });
  expect((await sendTo('/v1/b', batch(3), basic(capped))).status).toBe(200);
  const answer = await sendTo('/v1/b', batch(1), basic(capped));
  expectForeignProblem(answer, 429, 'RATE_LIMITED');
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
});

describe.concurrent('a page', () => {
  const ORIGIN = 'https://shop.example.com';
  const preflight = (path: string, headers: string) =>
    send(`${ingest().url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': headers,
      },
    });
  const allowed = (answer: Answer) => String(answer.headers['access-control-allow-headers']);

  test.for([...PATHS, '/v1/batch'])('may send the requests of these clients to %s', async path => {
    const answer = await preflight(path, 'anonymousid,authorization, x-retry-count');
    expect(allowed(answer)).toMatch(/Authorization.*AnonymousId.*X-Retry-Count$/);
  });

  test('with a client of the contract gets the same preflight response as before', async () => {
    const answer = await preflight('/v1/batch', 'content-type,x-service-write-key');
    expect(allowed(answer)).toMatch(/X-User-ID$/);
  });

  test('of another origin is refused', async () => {
    const own = await liveTenant(ingest(), { accepts: 'COMPATIBLE', origins: [ORIGIN] });
    const body = '{"event":"e","userId":"u"}';
    const from = (origin: string) => sendTo('/v1/t', body, { ...basic(own), origin });
    expectForeignProblem(await from('https://other.example.com'), 403, 'ORIGIN_NOT_ALLOWED');
    const answer = await from(ORIGIN);
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
  });
});
