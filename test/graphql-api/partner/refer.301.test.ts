// GET /refer/{code}, and the demo's sign-up page to which it redirects.

import { expect, test } from 'vitest';
import { send } from '../../harness/http.ts';
import { startApi } from '../harness/api-process.ts';
import { useClockedApi } from './clocked-api.ts';

const api = useClockedApi();

function get(path: string, headers: Record<string, string> = {}) {
  return send(`${api().url}${path}`, { method: 'GET', headers });
}

test.for(['ABCDEF', 'abcdef', '123456', 'A-B-C-', 'ABCDEFGHIJKLMNOP', 'NOBODY-HAS-IT'])(
  'a well-formed code is forwarded, whether or not it exists: %s',
  async code => {
    const answer = await get(`/refer/${code}`);
    expect(answer.status).toBe(301);
    expect(answer.headers.location).toBe(`/sign-up?ref=${code}`);
    expect(answer.headers['cache-control']).toBe('no-store');
  },
);

test.for([
  'ABCDE',
  'ABCDEFGHIJKLMNOPQ',
  'ABC_DEF',
  'ABC DEF',
  'ABC%20DEF',
  'ABCDEF%0d%0aSet-Cookie:x=1',
  'ABCDEF/..',
  '%',
  '',
  'ÄBCDEF',
])('a malformed code is omitted, without a 404: %s', async code => {
  const answer = await get(`/refer/${encodeURI(code).replaceAll('%25', '%')}`);
  expect(answer.status).toBe(301);
  expect(answer.headers.location).toBe('/sign-up');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test('the response is the same for existing and unknown codes', async () => {
  const { code } = (await (await api().owner()).get('/api/v1/billing/referral')).json();
  const answer = await get(`/refer/${String(code)}`);
  expect(answer.headers.location).toBe(`/sign-up?ref=${String(code)}`);
});

test.for([
  ['https://shop.example/join', 'https://shop.example/join?ref=ABCDEF'],
  ['https://shop.example/join?plan=pro#top', 'https://shop.example/join?plan=pro&ref=ABCDEF#top'],
  ['/welcome', '/welcome?ref=ABCDEF'],
] as const)('SIGNUP_URL is the target of the redirect: %s', async ([signUpUrl, location]) => {
  const other = await startApi({ env: { SIGNUP_URL: signUpUrl } });
  try {
    expect((await other.rest('/refer/ABCDEF')).headers.location).toBe(location);
    expect((await other.rest('/refer/x')).headers.location).toBe(signUpUrl);
    expect((await other.rest('/sign-up')).status).toBe(404);
  } finally {
    await other.stop();
  }
});

test('in production, there is no built-in sign-up page', async () => {
  const env = {
    NODE_ENV: 'production',
    INGEST_URL: 'http://127.0.0.1:9',
    INTERNAL_TOKEN: 'x'.repeat(32),
  };
  const production = await startApi({ env });
  try {
    expect((await production.rest('/refer/ABCDEF')).status).toBe(301);
    expect((await production.rest('/sign-up?ref=ABCDEF')).status).toBe(404);
  } finally {
    await production.stop();
  }
});

test('the sign-up page keeps the code for 60 days, and the first one stays', async () => {
  const first = await get('/sign-up?ref=FIRST-1');
  expect(first.status).toBe(200);
  expect(first.headers['set-cookie']).toEqual([
    'service_ref_code=FIRST-1; Max-Age=5184000; Path=/; SameSite=Lax',
  ]);
  const second = await get('/sign-up?ref=SECOND-2', { cookie: 'a=b; service_ref_code=FIRST-1' });
  expect(second.headers['set-cookie']).toBeUndefined();
  expect(second.text).toContain('FIRST-1');
  expect(second.text).not.toContain('SECOND-2');
});

test.for(['<b>', '', 'ABCDEFGHIJKLMNOPQ'])(
  'the sign-up page does not keep malformed codes: %s',
  async ref => {
    const answer = await get(`/sign-up?ref=${encodeURIComponent(ref)}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.text).toContain('without a referral code');
  },
);

test('over https, the cookie is secure', async () => {
  const answer = await get('/sign-up?ref=ABCDEF', { 'x-forwarded-proto': 'https' });
  expect(answer.headers['set-cookie']![0]).toMatch(/; Secure$/);
});
