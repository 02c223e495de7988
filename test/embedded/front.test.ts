import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { startFront } from '../../embedded/front.ts';
import { freePort } from '../../embedded/ports.ts';
import { eventually } from '../harness/eventually.ts';

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

async function program(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function front(upstreams: { ingest?: string; api?: string }): Promise<string> {
  const away = `http://127.0.0.1:${await freePort()}`;
  const { ingest = away, api = away } = upstreams;
  const running = await startFront({ host: '127.0.0.1', port: 0, upstreams: { ingest, api } });
  cleanUps.push(() => running.stop());
  return `http://127.0.0.1:${running.port}`;
}

/** Responds with the request that it received. */
const echo: RequestListener = (incoming, response) => {
  const hash = createHash('sha256');
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  incoming.on('end', () => {
    const { method, url, rawHeaders } = incoming;
    response.end(JSON.stringify({ method, url, rawHeaders, bytes, sha256: hash.digest('hex') }));
  });
};

type Echo = { method: string; url: string; rawHeaders: string[]; bytes: number; sha256: string };

/** Sends exactly these bytes over a connection and returns everything received until it closes. */
async function raw(base: string, bytes: string, isAllSent = false): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  if (isAllSent) socket.end();
  return text(socket);
}

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

test.concurrent('502 with Retry-After while a program is unavailable, then requests are forwarded again', async () => {
  const port = await freePort();
  const base = await front({ ingest: `http://127.0.0.1:${port}` });
  const body = Buffer.alloc(400_000);
  const away = await fetch(`${base}/v1/batch`, { method: 'POST', body });
  expect(away.status).toBe(502);
  expect(away.headers.get('retry-after')).toBe('1');
  expect(await away.json()).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  const server = createServer(echo).listen(port, '127.0.0.1');
  cleanUps.push(() => server.close());
  await once(server, 'listening');
  const back = await fetch(`${base}/v1/batch`, { method: 'POST', body });
  expect((await back.json()) as Echo).toMatchObject({ bytes: body.length });
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

test.concurrent.each([
  ['no request at all', 'NONSENSE\r\n\r\n', 400],
  ['too large a head', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
])('%s also gets a JSON response', async (_, bytes, status) => {
  const base = await front({});
  const answer = await raw(base, bytes);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toEqual({ detail: expect.any(String) });
});

test.concurrent('502 if a program exits before it responds', async () => {
  const ingest = await program(incoming => incoming.socket.destroy());
  const base = await front({ ingest });
  expect((await fetch(`${base}/v1/batch`, { method: 'POST', body: '{}' })).status).toBe(502);
});

test.concurrent('a truncated response is also truncated for the client', async () => {
  const ingest = await program((incoming, response) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('some', () => incoming.socket.destroy());
  });
  const base = await front({ ingest });
  const answer = await fetch(`${base}/v1/batch`);
  await expect(answer.text()).rejects.toThrow();
});

test.concurrent('the request to the program ends when its client disconnects', async () => {
  const states: string[] = [];
  const ingest = await program((incoming, response) => {
    states.push('begun');
    incoming.resume();
    response.on('close', () => states.push('ended'));
  });
  const base = await front({ ingest });
  const controller = new AbortController();
  const answer = fetch(`${base}/v1/batch`, { signal: controller.signal });
  await eventually(() => expect(states).toEqual(['begun']));
  controller.abort();
  await expect(answer).rejects.toThrow();
  await eventually(() => expect(states).toEqual(['begun', 'ended']));
});

test.concurrent('an early refusal reaches a client that is still sending', async () => {
  const ingest = await program((_, response) => {
    response.writeHead(413, { Connection: 'close' });
    response.end('too large');
  });
  const base = await front({ ingest });
  const outgoing = request(`${base}/v1/batch`, { method: 'POST' });
  outgoing.on('error', () => undefined);
  outgoing.write(Buffer.alloc(64_000));
  const [answer] = await once(outgoing, 'response');
  expect(answer.statusCode).toBe(413);
  expect(await text(answer)).toBe('too large');
  outgoing.destroy();
});

test.concurrent('survives hostile requests', async () => {
  const ingest = await program(echo);
  const base = await front({ ingest });
  const head = 'Host: x\r\nConnection: close\r\n';
  const hostile = [
    'rubbish\r\n\r\n',
    `GET /v1/a HTTP/9.9\r\n${head}\r\n`,
    `POST /v1/a HTTP/1.1\r\n${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `GET /v1/\xff\xfe HTTP/1.1\r\n${head}X-Bytes: \xff\xfe\r\n\r\n`,
    `GET /v1/a HTTP/1.1\r\n${head}X-Long: ${'a'.repeat(100_000)}\r\n\r\n`,
    `GET http://other.example/v1/a HTTP/1.1\r\n${head}\r\n`,
    `OPTIONS * HTTP/1.1\r\n${head}\r\n`,
    `CONNECT other.example:443 HTTP/1.1\r\n${head}\r\n`,
    `GET /v1/a HTTP/1.1\r\nHost: x\r\nConnection: close, upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `GET /v1/a HTTP/1.1\r\n${head}Connection: Content-Length, Host\r\nContent-Length: 2\r\n\r\nab`,
    `GET /v1/a HTTP/1.1\r\n${head}Expect: 200-maybe\r\n\r\n`,
  ];
  const brokenOff = [
    `POST /v1/a HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n100000005\r\nabc`,
    `POST /v1/a HTTP/1.1\r\n${head}Content-Length: 1000\r\n\r\nshort`,
    'POST /v1/a HTT',
  ];
  await Promise.all([
    ...hostile.map(bytes => raw(base, bytes)),
    ...brokenOff.map(bytes => raw(base, bytes, true)),
  ]);
  expect((await fetch(`${base}/v1/batch`)).status).toBe(200);
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

test.concurrent('stops even if a client hangs', async () => {
  const ingest = await program(() => undefined);
  const running = await startFront({
    host: '127.0.0.1',
    port: 0,
    upstreams: { ingest, api: ingest },
  });
  const { port } = running;
  const hanging = request({ port, host: '127.0.0.1', path: '/v1/batch' });
  hanging.on('error', () => undefined);
  hanging.end();
  await once(hanging, 'finish');
  await running.stop();
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
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
