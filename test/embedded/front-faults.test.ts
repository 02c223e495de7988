// The front with programs that are away or break off, and clients that are hostile or hang.

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startFront } from '../../embedded/front.ts';
import { freePort } from '../../embedded/ports.ts';
import { eventually } from '../harness/eventually.ts';
import { type Echo, echo, raw, useFronts } from './fronts.ts';

const { cleanUps, program, front } = useFronts();

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
