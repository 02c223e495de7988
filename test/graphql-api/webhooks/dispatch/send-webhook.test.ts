import { once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../../graphql-api/app/config.ts';
import {
  checkWebhookUrl,
  createResolve,
  type Resolve,
} from '../../../../graphql-api/webhooks/dispatch/resolve-host.ts';
import {
  type Attempted,
  createSender,
  type Sender,
  type SenderOptions,
} from '../../../../graphql-api/webhooks/dispatch/send-webhook.ts';
import { TEST_ENCRYPTION_KEYS } from '../../../harness/environments.ts';
import { eventually } from '../../../harness/eventually.ts';
import { selfSigned } from '../../../harness/self-signed.ts';
import { TEST_SECRET } from '../../harness/tokens.ts';
import { httpReceiver, rawServer } from './hostile-servers.ts';

/** Long enough for a busy machine; only the tested timeout is short. */
const TIMING = { connectTimeoutMs: 10_000, answerTimeoutMs: 15_000, drainTimeoutMs: 200 };
const NO_PATIENCE = { ...TIMING, answerTimeoutMs: 500 };
const NO_PATIENCE_TO_CONNECT = { ...TIMING, connectTimeoutMs: 500 };
const NEVER = new AbortController().signal;

const senders: Sender[] = [];
afterAll(() => {
  for (const sender of senders) sender.close();
});

function senderOf(options: Partial<SenderOptions> = {}) {
  const sender = createSender({
    isLoopbackAllowed: true,
    servicePorts: new Set(),
    resolve: createResolve(),
    timing: TIMING,
    ...options,
  });
  senders.push(sender);
  return (url: string, body = '{"type":"endpoint.test"}', signal = NEVER): Promise<Attempted> =>
    sender.send({ url, body, headers: { 'webhook-id': 'one' } }, signal);
}

test('webhooks to this machine are refused in production', () => {
  const env = {
    NODE_ENV: 'production',
    API_OPERATIONS_PORT: '0',
    API_HOST: '127.0.0.1',
    DATABASE_APP_URL: 'postgres://nobody@127.0.0.1/none',
    DATABASE_SYSTEM_URL: 'postgres://system@127.0.0.1/none',
    CLICKHOUSE_URL: 'http://127.0.0.1:1',
    INGEST_URL: 'http://127.0.0.1:1',
    INTERNAL_TOKEN: TEST_SECRET.replaceAll(' ', '-'),
    AUTH_JWT_SECRET: TEST_SECRET,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
  };
  expect(readConfig(env).webhookAddresses.isLoopbackAllowed).toBe(false);
  expect(() => readConfig({ ...env, WEBHOOK_ALLOW_LOOPBACK: '1' })).toThrow(
    /WEBHOOK_ALLOW_LOOPBACK: .*not allowed in production/,
  );
});

test('the ports of the front and of everything that the API calls on this machine are refused', () => {
  const { webhookAddresses } = readConfig({
    DATABASE_APP_URL: 'postgres://app@127.0.0.1:5401/service',
    DATABASE_SYSTEM_URL: 'postgres://system@localhost/service',
    CLICKHOUSE_URL: 'http://127.0.0.1:5403',
    CLICKHOUSE_URL_EU_WEST: 'http://127.0.0.1:5404',
    INGEST_URL: 'http://127.0.0.1:5405',
    INGEST_NODE_URLS: 'http://127.0.0.1:5405,http://127.0.0.1:5406',
    INTERNAL_TOKEN: TEST_SECRET.replaceAll(' ', '-'),
    AUTH_JWT_SECRET: TEST_SECRET,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    GATEWAY_BASE_URL: 'http://127.0.0.1:5407/pg',
    SMS_REGISTRAR_TOKEN: 'token',
    SMS_REGISTRAR_SECRET: 'secret',
    MESSAGING_APP_API_URL: 'http://[::1]:5408/v23.0',
    SMS_REGISTRAR_URL: 'https://registrar.example.com:5409',
    FRONT_PORT: '5400',
  });
  const ports = [...webhookAddresses.servicePorts].toSorted((a, b) => a - b);
  expect(ports).toEqual([5400, 5401, 5403, 5404, 5405, 5406, 5407, 5408, 5432]);
});

describe.concurrent('the outcome of a response', () => {
  test('is DELIVERED for any 2xx, and the given bytes and headers are sent', async () => {
    const { url, received } = await httpReceiver((_request, answer) => {
      answer.writeHead(204).end();
    });
    const body = '{"name":"Zoë ☃"}';
    expect(await senderOf()(`${url}/hook?a=b`, body)).toMatchObject({
      outcome: 'DELIVERED',
      status: 204,
    });
    expect(received).toMatchObject([
      {
        path: '/hook?a=b',
        body,
        headers: {
          'webhook-id': 'one',
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'accept-encoding': 'identity',
          'user-agent': expect.stringMatching(/^engagement-service-webhooks\//) as string,
        },
      },
    ]);
  });

  test.each([
    [400, 'REFUSED'],
    [404, 'REFUSED'],
    [500, 'REFUSED'],
    [304, 'REDIRECTED'],
    [410, 'GONE'],
  ])('%i is %s, without a word of what the receiver said', async (status, outcome) => {
    const { url } = await httpReceiver((_request, answer) => {
      answer.writeHead(status).end('a secret of the receiver');
    });
    const attempted = await senderOf()(url);
    expect(attempted).toMatchObject({ outcome, status, reason: `HTTP ${status}` });
    expect(JSON.stringify(attempted)).not.toContain('secret');
  });

  test('includes Retry-After, in seconds or as a date', async () => {
    const { url } = await httpReceiver(({ path }, answer) => {
      const header = path === '/date' ? new Date(Date.now() + 90_000).toUTCString() : path.slice(1);
      answer.writeHead(429, { 'retry-after': header }).end();
    });
    const send = senderOf();
    expect(await send(`${url}/120`)).toMatchObject({ outcome: 'REFUSED', retryAfterMs: 120_000 });
    const { retryAfterMs } = await send(`${url}/date`);
    expect(retryAfterMs).toBeGreaterThan(80_000);
    expect(retryAfterMs).toBeLessThanOrEqual(90_000);
    expect((await send(`${url}/later`)).retryAfterMs).toBeUndefined();
  });

  test('does not depend on the target of a redirect, which is never followed', async () => {
    const trap = await httpReceiver((_request, answer) => void answer.end());
    const { url, received } = await httpReceiver(({ path }, answer) => {
      const location =
        path === '/metadata' ? 'http://169.254.169.254/latest/meta-data' : `${trap.url}/trap`;
      answer.writeHead(path === '/see-other' ? 303 : 307, { location }).end();
    });
    const send = senderOf();
    for (const path of ['/metadata', '/trap', '/see-other'])
      expect(await send(url + path)).toMatchObject({ outcome: 'REDIRECTED' });
    expect(received).toHaveLength(3);
    expect(trap.received).toEqual([]);
  });
});

describe.concurrent('slow receivers', () => {
  test('without a response in time are TIMED_OUT', async () => {
    const { url, received } = await httpReceiver(() => undefined);
    // Long enough for the request to arrive on a busy machine.
    expect(await senderOf({ timing: { ...TIMING, answerTimeoutMs: 3_000 } })(url)).toMatchObject({
      outcome: 'TIMED_OUT',
      reason: 'no response within 3 s',
    });
    expect(received).toHaveLength(1);
  });

  test('that send headers byte by byte, or only a 100 Continue, are TIMED_OUT', async () => {
    const slowly = (text: string) => (socket: NodeJS.WritableStream) => {
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++ % text.length]!), 50);
      socket.on('close', () => clearInterval(timer));
    };
    const drip = await rawServer(slowly('HTTP/1.1 200 OK\r\nx: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'));
    const wait = await rawServer(socket => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    const send = senderOf({ timing: NO_PATIENCE });
    for (const port of [drip, wait])
      expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'TIMED_OUT' });
  });

  test('with an endless handshake count as unreachable', async () => {
    const port = await rawServer(() => undefined);
    const send = senderOf({ timing: NO_PATIENCE_TO_CONNECT });
    expect(await send(`https://localhost:${port}/`)).toMatchObject({
      outcome: 'TIMED_OUT',
      reason: 'no connection within 0.5 s',
    });
  });

  test('with a name that never resolves count as unreachable', async () => {
    const send = senderOf({
      timing: NO_PATIENCE_TO_CONNECT,
      resolve: () => new Promise(() => undefined),
    });
    expect(await send('https://slow.example.com/')).toMatchObject({ outcome: 'TIMED_OUT' });
  });

  test('with an endless body count by their status', async () => {
    const { url } = await httpReceiver((_request, answer) => {
      answer.writeHead(200);
      const timer = setInterval(() => answer.write('.'), 20);
      answer.on('close', () => clearInterval(timer));
    });
    expect(await senderOf()(url)).toMatchObject({ outcome: 'DELIVERED' });
  });

  test('an aborted attempt is INTERRUPTED', async () => {
    const stopping = new AbortController();
    const { url } = await httpReceiver(() => stopping.abort());
    expect(await senderOf()(url, '{}', stopping.signal)).toMatchObject({ outcome: 'INTERRUPTED' });
    expect(await senderOf()(url, '{}', stopping.signal)).toMatchObject({ outcome: 'INTERRUPTED' });
  });
});

describe.concurrent('receivers that send too much', () => {
  test('a very large response is cut off and uses little memory', async () => {
    let written = 0;
    let isClosed = false;
    const block = Buffer.alloc(256 * 1024, 'a');
    const port = await rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(block)) written += block.length;
        written += block.length;
      };
      socket.on('drain', more);
      socket.on('close', () => {
        isClosed = true;
      });
      more();
    });
    // The drain timeout is long, so only the size ends the response.
    const send = senderOf({ timing: { ...TIMING, drainTimeoutMs: 60_000 } });
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'DELIVERED' });
    await eventually(() => expect(isClosed).toBe(true));
    // Only data in transit was written; the buffers of both sockets take some megabytes.
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  test('a gzip bomb is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
    const { url } = await httpReceiver((_request, answer) => {
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const send = senderOf();
    // The compressed body is small enough to be read completely, so the connection is reused.
    expect(bomb.length).toBeLessThan(64 * 1024);
    expect(await send(url)).toMatchObject({ outcome: 'DELIVERED' });
    expect(await send(url)).toMatchObject({ outcome: 'DELIVERED' });
  });

  test('endless headers and invalid HTTP do not count as a response', async () => {
    const answers = [
      `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`,
      'SSH-2.0-OpenSSH_9.2\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\nok',
    ];
    const send = senderOf();
    for (const text of answers) {
      const port = await rawServer(socket => socket.once('data', () => socket.end(text)));
      expect(await send(`http://127.0.0.1:${port}/`), text.slice(0, 40)).toMatchObject({
        outcome: 'CONNECTION_FAILED',
      });
    }
  });
});

describe.concurrent('receivers that close the connection', () => {
  test('a reset, a closed connection and a closed port are CONNECTION_FAILED', async () => {
    const reset = await rawServer(socket => socket.once('data', () => socket.resetAndDestroy()));
    const closed = await rawServer(socket => socket.once('data', () => socket.end()));
    const send = senderOf();
    for (const port of [reset, closed, 1])
      expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
        outcome: 'CONNECTION_FAILED',
      });
  });

  test('an answer before the body has been read counts', async () => {
    const port = await rawServer(socket => {
      socket.pause();
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
    const body = JSON.stringify('a'.repeat(1024 * 1024));
    expect(await senderOf()(`http://127.0.0.1:${port}/`, body)).toMatchObject({
      outcome: 'DELIVERED',
    });
  });

  test('who answers without reading keeps no connection', async () => {
    let bytes = 0;
    const opened = Promise.withResolvers<Socket>();
    const port = await rawServer(socket => {
      socket.on('data', data => {
        bytes += data.length;
      });
      socket.pause().write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      opened.resolve(socket);
    });
    const body = 'a'.repeat(64 * 1024 * 1024);
    const attempted = await senderOf()(`http://127.0.0.1:${port}/`, body);
    expect(attempted).toMatchObject({ outcome: 'DELIVERED' });
    const socket = await opened.promise;
    socket.resume();
    await once(socket, 'close');
    // Only the bytes in transit at the time of the response arrive, and none after them.
    expect(bytes).toBeLessThan(body.length / 2);
  });

  test('connections are used again, and one that was closed meanwhile costs no attempt', async () => {
    let connections = 0;
    const port = await rawServer(socket => {
      const own = ++connections;
      let requests = 0;
      socket.on('data', data => {
        if (!data.toString().startsWith('POST')) return;
        if (own === 1 && ++requests === 3) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const send = senderOf();
    for (let time = 0; time < 3; time++)
      expect(await send(`http://127.0.0.1:${port}/`, '')).toMatchObject({ outcome: 'DELIVERED' });
    expect(connections).toBe(2);
  });
});

describe.concurrent('addresses', () => {
  const answering = (...answers: readonly (readonly string[])[]) => {
    const asked: string[] = [];
    const resolve: Resolve = async hostname => {
      asked.push(hostname);
      return answers[Math.min(asked.length, answers.length) - 1]!;
    };
    return { asked, resolve };
  };
  const CLOSED = { isLoopbackAllowed: false, servicePorts: new Set<number>() };

  test('a name that is public when saved, but not when connecting, is refused at the connection', async () => {
    for (const inside of ['127.0.0.1', '169.254.169.254', '10.0.0.7', '::1', '::ffff:10.0.0.7']) {
      const { resolve, asked } = answering(['93.184.215.14'], [inside]);
      const url = 'https://rebinding.example.com/';
      expect(await checkWebhookUrl(url, { ...CLOSED, resolve })).toBeUndefined();
      expect(await senderOf({ ...CLOSED, resolve })(url)).toEqual({
        outcome: 'ADDRESS_REFUSED',
        latencyMs: expect.any(Number) as number,
        reason: 'the host has an address that is not on the public internet',
      });
      expect(asked).toHaveLength(2);
    }
  });

  test('a name is resolved once, and the connection uses the checked address', async () => {
    const { url, received } = await httpReceiver((_request, answer) => void answer.end());
    const { resolve, asked } = answering(['127.0.0.1'], ['10.0.0.7']);
    const named = url.replace('127.0.0.1', 'a.localhost');
    expect(await senderOf({ resolve })(named)).toMatchObject({ outcome: 'DELIVERED' });
    expect(asked).toEqual(['a.localhost']);
    expect(received[0]!.headers.host).toMatch(/^a\.localhost:/);
  });

  test('the service’s own ports are refused at each attempt, under any host name', async () => {
    const { url, received } = await httpReceiver((_request, answer) => void answer.end());
    const servicePorts = new Set<number>();
    const send = senderOf({ servicePorts });
    const named = url.replace('127.0.0.1', 'a.localhost');
    expect(await send(named)).toMatchObject({ outcome: 'DELIVERED' });
    servicePorts.add(Number(new URL(url).port));
    for (const refused of [url, named])
      expect(await send(refused)).toMatchObject({ outcome: 'ADDRESS_REFUSED' });
    expect(received).toHaveLength(1);
    const { resolve } = answering(['127.0.0.1']);
    const options = { isLoopbackAllowed: true, servicePorts: new Set([443]), resolve };
    const elsewhere = 'https://own.example.com/';
    expect(await senderOf(options)(elsewhere)).toMatchObject({ outcome: 'ADDRESS_REFUSED' });
    expect(await checkWebhookUrl(elsewhere, options)).toMatchObject({
      code: 'WEBHOOK_URL_REFUSED',
    });
  });

  test('one refused address among public ones refuses the name', async () => {
    const { resolve } = answering(['93.184.215.14', '192.168.0.1']);
    const url = 'https://both.example.com/';
    expect(await checkWebhookUrl(url, { ...CLOSED, resolve })).toMatchObject({
      code: 'WEBHOOK_URL_REFUSED',
    });
    expect(await senderOf({ ...CLOSED, resolve })(url)).toMatchObject({
      outcome: 'ADDRESS_REFUSED',
    });
  });

  test('an address in the URL itself is checked each time', async () => {
    const { url, received } = await httpReceiver((_request, answer) => void answer.end());
    expect(await senderOf(CLOSED)(url)).toMatchObject({ outcome: 'ADDRESS_REFUSED' });
    for (const refused of ['https://169.254.169.254/', 'https://[::ffff:7f00:1]/', 'https://10.1/'])
      expect(await senderOf()(refused)).toMatchObject({ outcome: 'ADDRESS_REFUSED' });
    expect(received).toEqual([]);
  });

  test('a name without an address is refused when saved, and the attempt fails', async () => {
    const resolve: Resolve = () =>
      Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
    const url = 'https://nobody.example.com/';
    expect(await checkWebhookUrl(url, { ...CLOSED, resolve })).toMatchObject({
      code: 'WEBHOOK_URL_REFUSED',
      message: 'The name of the host does not resolve to an address.',
    });
    expect(await senderOf({ ...CLOSED, resolve })(url)).toMatchObject({
      outcome: 'CONNECTION_FAILED',
      reason: 'connection failed: ENOTFOUND',
    });
  });
});

test('an untrusted certificate is TLS_FAILED, and nothing is sent', async () => {
  const tls = selfSigned();
  const { url, received } = await httpReceiver((_request, answer) => void answer.end(), tls);
  expect(await senderOf()(url)).toMatchObject({
    outcome: 'TLS_FAILED',
    reason: 'TLS handshake failed: DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  expect(received).toEqual([]);
  // With a CA that signed the certificate, the request succeeds; with another host name, it still
  // fails.
  const send = senderOf({ ca: tls.cert });
  expect(await send(url)).toMatchObject({ outcome: 'DELIVERED' });
  expect(await send(url.replace('localhost', 'a.localhost'))).toMatchObject({
    outcome: 'TLS_FAILED',
  });
});
