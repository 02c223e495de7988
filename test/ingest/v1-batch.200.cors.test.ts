import { beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventText } from '../harness/batch.ts';
import { JSON_TYPE, liveTenant, post } from '../harness/batch-client.ts';
import { type Answer, send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

const ORIGIN = 'https://shop.example.com';
/** Every header that clients send according to the contract, and those needed for a body. */
const HEADERS = [
  'authorization',
  'content-encoding',
  'content-type',
  'x-contact-id',
  'x-organization-id',
  'x-property-id',
  'x-service-write-key',
  'x-user-id',
];

const ingest = useSharedIngest();
let open: Tenant;
let listed: Tenant;
beforeAll(async () => {
  [open, listed] = await Promise.all([
    liveTenant(ingest()),
    liveTenant(ingest(), { origins: [ORIGIN, 'http://localhost:3000'] }),
  ]);
});

function preflight(origin: string, headers: readonly string[] = HEADERS, path = '/v1/batch') {
  return send(`${ingest().url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': headers.join(','),
    },
  });
}

function expectReadable(answer: Answer, origin: string): void {
  expect([origin, '*']).toContain(answer.headers['access-control-allow-origin']);
  const exposed = names(answer.headers['access-control-expose-headers']);
  expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'x-service-rate-reset']));
  // A cache must not serve a response that depends on the origin to another origin.
  if (answer.headers['access-control-allow-origin'] !== '*') {
    expect(names(answer.headers.vary)).toContain('origin');
  }
}

function names(list: string | undefined): string[] {
  return (list ?? '').split(',').map(name => name.trim().toLowerCase());
}

describe.concurrent('preflight', () => {
  test.for([ORIGIN, 'http://localhost:3000', 'https://any.example.org'])('of %s', async origin => {
    const answer = await preflight(origin);
    expect([200, 204]).toContain(answer.status);
    expect(answer.text).toBe('');
    expect([origin, '*']).toContain(answer.headers['access-control-allow-origin']);
    expect(names(answer.headers['access-control-allow-methods'])).toContain('post');
    const allowed = names(answer.headers['access-control-allow-headers']);
    expect(allowed).toEqual(expect.arrayContaining(HEADERS));
    expect(Number(answer.headers['access-control-max-age'])).toBeGreaterThan(0);
  });

  test('needs no key', async () => {
    const { status } = await preflight(ORIGIN, ['content-type']);
    expect([200, 204]).toContain(status);
  });
});

describe.concurrent('responses', () => {
  const allowed = [
    ['200', 200, (key: string) => batchText(key, [eventText()])],
    ['400 of an event', 400, (key: string) => batchText(key, [eventText({ type: '"x"' })])],
    ['400 of the batch', 400, (key: string) => batchText(key, [])],
  ] as const;

  test.for(allowed)('%s of a key open to all', async ([, status, body]) => {
    const answer = await post(ingest(), body(open.writeKey), { headers: { origin: ORIGIN } });
    expect(answer.status).toBe(status);
    expectReadable(answer, ORIGIN);
  });

  test.for(allowed)('%s of a key with a list', async ([, status, body]) => {
    const answer = await post(ingest(), body(listed.writeKey), { headers: { origin: ORIGIN } });
    expect(answer.status).toBe(status);
    expectReadable(answer, ORIGIN);
  });

  test.for([
    ['malformed JSON', 400, '{', JSON_TYPE],
    ['no key', 400, '{"batch":[],"sentAt":"2026-01-01T00:00:00Z"}', JSON_TYPE],
    ['an unknown key', 401, batchText('wk_unknown_unknown_unknown', [eventText()]), JSON_TYPE],
    ['too large a body', 413, ' '.repeat(512_001), JSON_TYPE],
    ['another media type', 415, '{}', { 'content-type': 'application/xml' }],
  ] as const)('%s, if no key allows all origins', async ([, status, body, headers]) => {
    const answer = await post(ingest(), body, { headers: { ...headers, origin: ORIGIN } });
    expect(answer.status).toBe(status);
    expectReadable(answer, ORIGIN);
  });

  test('a rate limit can be read by scripts', async () => {
    const capped = await liveTenant(ingest(), { minuteCap: 1 });
    const body = batchText(capped.writeKey, [eventText(), eventText()]);
    const headers = { origin: ORIGIN };
    let answer = await post(ingest(), body, { headers });
    for (let i = 0; i < 3 && answer.status !== 429; i++) {
      answer = await post(ingest(), body, { headers });
    }
    expect(answer.status).toBe(429);
    expectReadable(answer, ORIGIN);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });

  test('without an Origin, there are no CORS headers', async () => {
    const answer = await post(ingest(), batchText(open.writeKey, [eventText()]));
    expect(answer.status).toBe(200);
    expect([undefined, '*']).toContain(answer.headers['access-control-allow-origin']);
  });

  test('a beacon, which always has credentials, gets its origin instead of *', async () => {
    const headers = { origin: ORIGIN };
    const answers = [
      await preflight(ORIGIN),
      await post(ingest(), batchText(open.writeKey, [eventText()]), { headers }),
    ];
    for (const answer of answers) {
      expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
      expect(answer.headers['access-control-allow-credentials']).toBe('true');
    }
  });
});
