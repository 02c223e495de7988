import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../../graphql-api/app/config.ts';
import {
  checkWebhookUrl,
  type Resolve,
} from '../../../../graphql-api/webhooks/dispatch/resolve-host.ts';
import { TEST_ENCRYPTION_KEYS } from '../../../harness/environments.ts';
import { selfSigned } from '../../../harness/self-signed.ts';
import { TEST_SECRET } from '../../harness/tokens.ts';
import { httpReceiver } from './hostile-servers.ts';
import { useSenders } from './webhook-senders.ts';

const { senderOf } = useSenders();

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
      message: 'The host name does not resolve to an address.',
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
