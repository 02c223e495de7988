import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Front, startFront } from '../../embedded/front.ts';
import { freePort } from '../../embedded/ports.ts';

const TOKENS = { owner: 'a.b.c', admin: 'd.e.f' };

let front: Front;
let frontWithoutDemo: Front;
beforeAll(async () => {
  const away = `http://127.0.0.1:${await freePort()}`;
  const options = { host: '127.0.0.1', port: 0, upstreams: { ingest: away, api: away } };
  front = await startFront({ ...options, offerTokens: async () => TOKENS });
  frontWithoutDemo = await startFront(options);
});
afterAll(() => Promise.all([front?.stop(), frontWithoutDemo?.stop()]));

function ask({ port }: Front, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path: '/demo/tokens', headers });
    asking.on('error', reject);
    asking.on('response', answer => {
      text(answer).then(body => resolve({ status: answer.statusCode, body }), reject);
    });
    asking.end();
  });
}

test('a browser on this machine is offered the demo’s tokens', async () => {
  for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { host: 'localhost:3000' }]) {
    const { status, body } = await ask(front, headers as Record<string, string>);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual(TOKENS);
  }
});

test.each([
  ['a name that another site made point here', { host: 'attacker.example' }],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['somebody behind a proxy', { 'x-forwarded-for': '203.0.113.7' }],
  ['somebody behind a proxy of the standard’s kind', { forwarded: 'for=203.0.113.7' }],
])('%s is not offered any tokens', async (_who, headers) => {
  const { status, body } = await ask(front, headers);
  expect(status).toBe(404);
  expect(body).not.toContain(TOKENS.owner);
});

test('without a demo tenant, there are no tokens', async () => {
  expect((await ask(frontWithoutDemo)).status).toBe(404);
});
