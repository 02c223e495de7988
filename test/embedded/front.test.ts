import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startFront } from '../../embedded/front.ts';
import { type Echo, echo, raw, useFronts } from './fronts.ts';

const { program, front } = useFronts();

test.concurrent.each([
  ['/v1/batch', 'ingest'],
  ['/v1/batch?x=/api', 'ingest'],
  ['/api/v1/in_app/track', 'ingest'],
  ['/sourceConfig/?writeKey=wk', 'ingest'],
  ['/beacon/v1/batch?writeKey=wk', 'ingest'],
  ['/api/s/track', 'ingest'],
  ['/i/v0/e/?ip=0', 'ingest'],
  ['/array/wk/config.js', 'ingest'],
  ['/batches', 'api'],
  ['/sourceConfigs', 'api'],
  ['/sdk.js', 'ingest'],
  ['/sdk/0.1.0-abc.js', 'ingest'],
  ['/sdk', 'api'],
  ['/api/v1/wallet', 'api'],
  ['/v1', 'api'],
  ['/V1/batch', 'api'],
  ['/graphql', 'api'],
  ['/', 'api'],
])('sends %s to %s', async (path, expected) => {
  const ingest = await program((_, response) => response.end('ingest'));
  const api = await program((_, response) => response.end('api'));
  const base = await front({ ingest, api });
  expect(await (await fetch(base + path)).text()).toBe(expected);
});

test.concurrent('forwards a gzip body byte for byte, with unchanged headers', async () => {
  const base = await front({ ingest: await program(echo) });
  const body = gzipSync(randomBytes(300_000));
  const outgoing = request(`${base}/v1/batch?a=%2F&b=%00`, {
    method: 'POST',
    headers: [
      ['Host', 'sdk.example'],
      ['Content-Encoding', 'gzip'],
      ['Content-Length', `${body.length}`],
      ['X-Twice', 'one'],
      ['x-twice', 'two'],
      ['X-Forwarded-For', '203.0.113.9'],
      ['Connection', 'keep-alive, X-Hop'],
      ['X-Hop', 'mine'],
      ['TE', 'trailers'],
    ].flat(),
  });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  const seen = JSON.parse(await text(answer)) as Echo;
  expect(seen).toMatchObject({ method: 'POST', url: '/v1/batch?a=%2F&b=%00', bytes: body.length });
  expect(seen.sha256).toBe(createHash('sha256').update(body).digest('hex'));
  expect(seen.rawHeaders.slice(0, 14)).toEqual(
    [
      ['Host', 'sdk.example'],
      ['Content-Encoding', 'gzip'],
      ['Content-Length', `${body.length}`],
      ['X-Twice', 'one'],
      ['x-twice', 'two'],
      ['X-Forwarded-For', '203.0.113.9, 127.0.0.1'],
      ['X-Forwarded-Proto', 'http'],
    ].flat(),
  );
  expect(seen.rawHeaders.join().toLowerCase()).not.toMatch(/x-hop|trailers/);
});

test.concurrent('responses are returned byte for byte, in their own encoding', async () => {
  const body = gzipSync('an answer');
  const ingest = await program((_, response) => {
    response.writeHead(418, 'Short and stout', {
      'Content-Encoding': 'gzip',
      'Set-Cookie': ['a=1', 'b=2'],
    });
    response.end(body);
  });
  const base = await front({ ingest });
  const outgoing = request(`${base}/v1/batch`).end();
  const [answer] = await once(outgoing, 'response');
  expect(answer.statusCode).toBe(418);
  expect(answer.statusMessage).toBe('Short and stout');
  expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  expect(Buffer.concat(await answer.toArray())).toEqual(body);
});

test.concurrent('streams: the response begins before the request ends', async () => {
  const ingest = await program((incoming, response) => {
    response.flushHeaders();
    incoming.pipe(response);
  });
  const base = await front({ ingest });
  const outgoing = request(`${base}/v1/echo`, { method: 'POST' });
  outgoing.write('first');
  const [answer] = await once(outgoing, 'response');
  const [chunk] = await once(answer, 'data');
  expect(String(chunk)).toBe('first');
  outgoing.end();
  answer.resume();
  await once(answer, 'end');
});

test.concurrent('a page of another origin can read a 502 of ingest, also behind a preflight', async () => {
  const base = await front({});
  const origin = 'https://shop.example.com';
  const preflight = await fetch(`${base}/v1/batch`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
  expect(preflight.headers.get('access-control-max-age')).toBe('0');
  const sent = { method: 'POST', body: '{}', headers: { origin } };
  const away = await fetch(`${base}/v1/batch`, sent);
  expect([away.status, away.headers.get('retry-after')]).toEqual([502, '1']);
  expect(away.headers.get('access-control-allow-origin')).toBe(origin);
  expect(away.headers.get('access-control-expose-headers')).toContain('Retry-After');
  const api = await fetch(`${base}/graphql`, sent);
  expect([api.status, api.headers.get('access-control-allow-origin')]).toEqual([502, null]);
});

test.concurrent('cookies go to the API, and not to ingest', async () => {
  const echoes = await program(echo);
  const base = await front({ ingest: echoes, api: echoes });
  const headers = { cookie: `session=${'x'.repeat(6_000)}` };
  const headersAt = async (path: string) => {
    const { rawHeaders } = (await (await fetch(`${base}${path}`, { headers })).json()) as Echo;
    return rawHeaders.map(text => text.toLowerCase());
  };
  expect(await headersAt('/v1/in-app/active')).not.toContain('cookie');
  expect(await headersAt('/graphql')).toContain('cookie');
});

test.concurrent('a chunked body keeps its framing with any method', async () => {
  const base = await front({ ingest: await program(echo) });
  const answer = await raw(
    base,
    'DELETE /v1/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '5\r\nhello\r\n0\r\n\r\n' +
      'GET /v1/second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(answer).toContain('"bytes":5');
  expect(answer).toContain('"url":"/v1/second"');
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});

test.concurrent('/readyz checks the parts, /healthz does not', async () => {
  let status = 503;
  const ingest = await program((_, response) => {
    response.writeHead(status).end();
  });
  const api = await program((_, response) => response.end());
  const base = await front({ ingest, api });
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
  const notReady = await fetch(`${base}/readyz`);
  expect(notReady.status).toBe(503);
  expect(await notReady.json()).toEqual({
    status: 'not ready',
    parts: { ingest: 'responds with 503', api: 'ready' },
  });
  status = 200;
  expect(await (await fetch(`${base}/readyz`)).json()).toEqual({
    status: 'ready',
    parts: { ingest: 'ready', api: 'ready' },
  });
});

test.concurrent.for([
  '/internal/rows',
  '/internal/batch?workspace_id=1',
  '/internal',
  '//internal/rows',
])('%s, ingest’s own for the API, is not reached from outside', async path => {
  const [ingest, api] = [await program(echo), await program((_, response) => response.end('api'))];
  const base = await front({ ingest, api });
  const answer = await raw(
    base,
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
  expect(answer).toContain('api');
  expect(answer).not.toContain('sha256');
});

test.concurrent('the error for a port in use names PORT', async () => {
  const { port } = new URL(await program(echo));
  const upstreams = { ingest: 'http://127.0.0.1:1', api: 'http://127.0.0.1:1' };
  await expect(startFront({ host: '127.0.0.1', port: Number(port), upstreams })).rejects.toThrow(
    'PORT',
  );
});
