// The routing of deploy/nginx.conf: tested with nginx if it is installed, otherwise by the rule that
// an expression wins over the longest matching prefix.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../embedded/ports.ts';
import { ROOT_PATHS } from '../../ingest/compatible/paths.ts';
import { eventually } from '../harness/eventually.ts';
import { newDirectory } from '../harness/run-directory.ts';

const FILE = join(import.meta.dirname, '..', '..', 'deploy', 'nginx.conf');

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

test.each(ROUTES)('the location that matches %s is for %s', async (address, expected) => {
  const conf = await readFile(FILE, 'utf8');
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
});

test('the paths of other vendors’ clients are those of the front', async () => {
  const conf = await readFile(FILE, 'utf8');
  const [, expression] = /location ~ (\S+) \{/.exec(conf)!;
  expect(new RegExp(expression!).source).toBe(ROOT_PATHS.source);
});

describe.skipIf(!hasNginx())('nginx itself', () => {
  let nginx: ChildProcess;
  let base: URL;
  const servers: ReturnType<typeof createServer>[] = [];
  const attempts = { ingest: 0, api: 0 };

  beforeAll(async () => {
    const port = await freePort();
    const [ingest, api] = [await program('ingest'), await program('api')];
    const conf = (await readFile(FILE, 'utf8'))
      .replace('listen 3000 reuseport', `listen 127.0.0.1:${port}`)
      .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${ingest};`)
      .replace('server 127.0.0.1:4000;', `server 127.0.0.1:${api} max_fails=0;`);
    const directory = await newDirectory('nginx');
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map(name => `${name}_temp_path ${directory}/${name};`)
      .join('\n');
    await writeFile(
      join(directory, 'nginx.conf'),
      `daemon off; master_process off; pid ${directory}/pid; error_log stderr warn;
       events {} http { access_log off; ${folders}\n${conf}\n}`,
    );
    nginx = spawn('nginx', ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    base = new URL(`http://127.0.0.1:${port}`);
    await eventually(() => fetch(base));
  });
  afterAll(async () => {
    if (nginx.exitCode === null) {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
    }
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function program(name: 'ingest' | 'api'): Promise<number> {
    const listener: RequestListener = (incoming, response) => {
      if (incoming.url?.endsWith('/dies')) {
        attempts[name]++;
        incoming.socket.destroy();
      } else incoming.resume().on('end', () => response.end(name));
    };
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Requests exactly this path, which a client library would normalize. */
  async function answerTo(path: string): Promise<string> {
    const socket = connect(Number(base.port), base.hostname);
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
  ])('%s is not a path of ingest', async path => {
    expect(await answerTo(path)).not.toContain('\r\n\r\ningest');
  });

  test('returns JSON errors for large bodies and unavailable programs', async () => {
    const large = await fetch(new URL('/graphql', base), {
      method: 'POST',
      body: Buffer.alloc(2 * 1024 * 1024 + 1),
    });
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    const away = await fetch(new URL('/api/v1/dies', base), { method: 'POST', body: '{}' });
    expect([away.status, away.headers.get('retry-after')]).toEqual([502, '1']);
    expect(await away.json()).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    // Not retried, because the first attempt may have taken effect.
    expect(attempts.api).toBe(1);
  });
});

function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
