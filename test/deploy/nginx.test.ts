// deploy/nginx.conf, tested with nginx if it is installed. Otherwise its routes are tested by the rule
// that an expression wins over the longest matching prefix.

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT_PATHS } from '../../ingest/compatible/paths.ts';
import { deadAddress } from '../harness/dead-address.ts';
import { compress, send } from '../harness/http.ts';
import { hasProgram, NGINX_FILE, type Nginx, startNginx } from '../harness/nginx.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { selfSigned } from '../harness/self-signed.ts';

/** The routes of embedded/front.ts, except those for operators only. */
const ROUTES = [
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
  ['/api/v1/sdk-keys', 'api'],
  ['/v1', 'api'],
  ['/api/v1/in_app', 'api'],
  ['/V1/batch', 'api'],
  ['/graphql', 'api'],
  ['/docs', 'api'],
  ['/readyz', 'api'],
  ['/', 'api'],
  ['/metrics', 'nobody'],
  ['/internal', 'nobody'],
  ['/internal/rows', 'nobody'],
  ['/internal/batch?workspace_id=1', 'nobody'],
] as const;

test.skipIf(hasProgram('nginx')).each(ROUTES)(
  'the location that fits %s is for %s',
  async (address, expected) => {
    const conf = await readFile(NGINX_FILE, 'utf8');
    const locations = [...conf.matchAll(/^ {4}location (= |~ )?([/^]\S*) \{\n([^}]*)\}/gm)];
    const path = address.split('?')[0]!;
    const fitting = locations
      .filter(([, kind, place]) => {
        if (kind === '~ ') return new RegExp(place!).test(path);
        return kind === '= ' ? path === place : path.startsWith(place!);
      })
      .toSorted(([, , one], [, , other]) => other!.length - one!.length);
    const found = fitting.find(([, kind]) => kind === '~ ') ?? fitting[0]!;
    const upstream = /proxy_pass http:\/\/(\w+);/.exec(found[3]!)?.[1] ?? 'nobody';
    expect(upstream).toBe(expected);
  },
);

test('the paths of other vendors’ clients are those of the front', async () => {
  const conf = await readFile(NGINX_FILE, 'utf8');
  const [, expression] = /location ~ (\S+) \{/.exec(conf)!;
  expect(new RegExp(expression!).source).toBe(ROOT_PATHS.source);
});

describe.skipIf(!hasProgram('nginx'))('nginx itself', () => {
  let nginx: Nginx;
  const [ingest, otherIngest] = [standIn('ingest'), standIn('ingest')];
  const [api, otherApi] = [standIn('api'), standIn('api')];
  const nodes = [ingest, otherIngest, api, otherApi];

  beforeAll(async () => {
    await Promise.all(nodes.map(node => node.listen()));
    const directory = await newDirectory('tls');
    const { key, cert } = selfSigned();
    await writeFile(join(directory, 'privkey.pem'), key);
    await writeFile(join(directory, 'fullchain.pem'), cert);
    nginx = await startNginx({
      ingest: [ingest.port(), otherIngest.port()],
      api: [api.port(), otherApi.port()],
      edit: conf => conf.replaceAll('#tls ', '').replaceAll('/etc/nginx/tls', directory),
    });
  });
  afterAll(async () => {
    await nginx?.stop();
    for (const node of nodes) node.close();
  });

  /** Requests exactly this path, which a client library would normalize. */
  async function answerTo(path: string, port = nginx.port): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return text(socket);
  }

  test.each(ROUTES)('sends %s to %s', async (path, expected) => {
    const answer = await answerTo(path);
    if (expected === 'nobody') expect(answer).toMatch(/^HTTP\/1.1 404.*"code":"NOT_FOUND"/s);
    else expect(answer.split('\r\n\r\n')[1]).toContain(expected);
  });

  test.each([
    '//internal/rows',
    '/v1/../internal/rows',
    '/v1/%2e%2e/internal/rows',
    '/v1//../internal/rows',
    '/%69nternal/rows',
    '/internal%2Frows',
    '/./internal/rows',
  ])('%s is not ingest’s', async path => {
    expect(await answerTo(path)).not.toContain('\r\n\r\ningest');
  });

  test('the internal listener serves the API’s calls to ingest, and nothing else', async () => {
    const rows = await send(`${nginx.internalUrl}/internal/rows`, { body: '{}' });
    expect([rows.status, rows.text]).toEqual([200, 'ingest']);
    for (const path of ['/v1/batch', '/graphql', '/metrics', '/'])
      expect((await send(`${nginx.internalUrl}${path}`, { method: 'GET' })).status).toBe(404);
  });

  test('ends TLS and HTTP/2, and says so to the programs', async () => {
    const session = connectHttp2(`https://127.0.0.1:${nginx.tlsPort}`, {
      rejectUnauthorized: false,
    });
    const stream = session.request({ ':path': '/v1/batch' });
    expect(await text(stream)).toBe('ingest');
    session.close();
    expect(latest(ingest, otherIngest)).toMatchObject({ 'x-forwarded-proto': 'https' });
  });

  test('passes on a request ID or makes one, and keeps cookies from ingest', async () => {
    const headers = { 'x-request-id': 'chosen-by-the-client', cookie: 'page=1' };
    await send(`${nginx.url}/graphql`, { body: '{}', headers });
    await send(`${nginx.url}/v1/batch`, { body: '{}', headers: { cookie: 'page=1' } });
    expect(latest(api, otherApi)).toMatchObject(headers);
    const made = latest(ingest, otherIngest);
    expect(made['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(made).not.toHaveProperty('cookie');
  });

  test('passes on a compressed body as it is', async () => {
    const body = compress('br', 'x'.repeat(1_000));
    const headers = { 'content-encoding': 'br' };
    await send(`${nginx.url}/v1/batch`, { body, headers });
    const sent = { 'content-encoding': 'br', 'content-length': String(body.length) };
    expect(latest(ingest, otherIngest)).toMatchObject(sent);
  });

  test.each([502, 503])('repeats a POST that an ingest node answered with %s', async status => {
    ingest.status = status;
    try {
      for (let i = 0; i < 4; i++) {
        const answer = await send(`${nginx.url}/v1/batch`, { body: '{"batch":[]}' });
        expect([answer.status, answer.text]).toEqual([200, 'ingest']);
      }
    } finally {
      ingest.status = 200;
    }
  });

  test('repeats a GET that an API process answered with 503, but not a POST', async () => {
    api.status = 503;
    otherApi.status = 503;
    const attempts = async (method: string) => {
      const before = api.requests.length + otherApi.requests.length;
      expect((await send(`${nginx.url}/api/v1/wallet`, { method })).status).toBe(503);
      return api.requests.length + otherApi.requests.length - before;
    };
    try {
      expect([await attempts('GET'), await attempts('POST')]).toEqual([2, 1]);
    } finally {
      api.status = 200;
      otherApi.status = 200;
    }
  });

  test('returns JSON errors for large bodies and unavailable programs', async () => {
    const large = await send(`${nginx.url}/graphql`, { body: Buffer.alloc(2 * 1024 * 1024 + 1) });
    expect(large.status).toBe(413);
    expect(large.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    const before = api.requests.length + otherApi.requests.length;
    const away = await send(`${nginx.url}/api/v1/dies`, { body: '{}' });
    expect(away).toMatchObject({ status: 502, headers: { 'retry-after': '1' } });
    expect(away.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(away.json()).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    // Not repeated, because the first attempt may have taken effect.
    expect(api.requests.length + otherApi.requests.length - before).toBe(1);
  });

  test('without ingest, a page with any vendor’s headers can read the 502', async () => {
    const dead = await deadAddress();
    const port = Number(dead.hostPort.split(':')[1]);
    const alone = await startNginx({ ingest: [port], api: [api.port()] });
    try {
      const origin = 'https://shop.example.com';
      const named = 'content-type,x-posthog-session-id';
      const preflight = await send(`${alone.url}/batch`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': named,
        },
      });
      expect(preflight).toMatchObject({
        status: 204,
        headers: { 'access-control-allow-origin': origin, 'access-control-allow-headers': named },
      });
      const away = await send(`${alone.url}/batch`, { body: '{}', headers: { origin } });
      expect(away).toMatchObject({
        status: 502,
        headers: { 'access-control-allow-origin': origin, 'retry-after': '1' },
      });
    } finally {
      await alone.stop();
      await dead.close();
    }
  });
});

/** The headers of the latest request to one of the nodes. */
function latest(...nodes: readonly StandIn[]): IncomingHttpHeaders {
  const requests = nodes.flatMap(node => node.requests);
  return requests.toSorted((one, other) => one.number - other.number).at(-1)!.headers;
}

let requestsSeen = 0;

type StandIn = ReturnType<typeof standIn>;

/** Takes the place of a program, and records what nginx sends to it. */
function standIn(name: string) {
  const node = {
    status: 200,
    requests: [] as { readonly number: number; readonly headers: IncomingHttpHeaders }[],
    port: () => (server.address() as AddressInfo).port,
    async listen() {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((incoming, response) => {
    node.requests.push({ number: requestsSeen++, headers: incoming.headers });
    if (incoming.url?.endsWith('/dies')) incoming.socket.destroy();
    else incoming.resume().on('end', () => response.writeHead(node.status).end(name));
  });
  return node;
}
