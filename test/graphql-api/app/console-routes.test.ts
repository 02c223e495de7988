import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { consoleRoutes } from '../../../graphql-api/app/console-routes.ts';
import { issuerOrigins } from '../../../graphql-api/app/issuer-origins.ts';
import { eventually } from '../../harness/eventually.ts';

const PAGE = '<!doctype html><title>Console</title>';
const SCRIPT = 'console.log("a view")';
const clock = { nowMs: () => 0 };
let built: string;

beforeAll(async () => {
  built = await mkdtemp(join(inject('runDirectory'), 'console-'));
  await mkdir(join(built, 'assets'));
  await writeFile(join(built, 'index.html'), PAGE);
  await writeFile(join(built, 'assets', 'view-abc.js'), SCRIPT);
  await writeFile(join(built, 'assets', 'view-abc.js.br'), brotliCompressSync(SCRIPT));
});

async function ask(path: string, headers: Record<string, string> = {}) {
  return consoleRoutes({ directory: built, clock }).request(path, { headers });
}

describe('the page', () => {
  test.each([
    '/console',
    '/console/',
    '/console/keys',
    '/console/templates/abc',
    '/console/index.html',
  ])('is at %s and is not cached', async path => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.text()).toBe(PAGE);
  });

  test('allows no content from other hosts, and no framing', async () => {
    const policy = (await ask('/console')).headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  });

  test('returns instructions if it was not built, and is available after a build', async () => {
    const directory = await mkdtemp(join(inject('runDirectory'), 'console-'));
    const app = consoleRoutes({ directory, clock });
    const answer = await app.request('/console');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run console');
    await writeFile(join(directory, 'index.html'), PAGE);
    expect((await app.request('/console')).status).toBe(200);
  });
});

describe('its files', () => {
  const path = '/console/assets/view-abc.js';

  test('are cached permanently, because their names contain a hash', async () => {
    const answer = await ask(path);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(answer.headers.get('content-type')).toContain('text/javascript');
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.text()).toBe(SCRIPT);
  });

  test('are compressed if the client accepts that', async () => {
    const answer = await ask(path, { 'accept-encoding': 'gzip, deflate, br;q=0.8' });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(brotliDecompressSync(bytes).toString()).toBe(SCRIPT);
  });

  test.each(['br;q=0', 'gzip', 'identity', ''])(
    'are uncompressed if the client sends %j',
    async accepted => {
      const answer = await ask(path, { 'accept-encoding': accepted });
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(await answer.text()).toBe(SCRIPT);
    },
  );

  test('are not sent again if the client has them', async () => {
    const etag = (await ask('/console')).headers.get('etag')!;
    const answer = await ask('/console', { 'if-none-match': etag });
    expect(answer.status).toBe(304);
    expect(await answer.text()).toBe('');
  });

  test.each([
    '/console/assets/other.js',
    '/console/assets/../../package.json',
    '/console/%2e%2e/package.json',
    '/console/..%2f..%2fpackage.json',
  ])('%s does not exist', async path => {
    const answer = await ask(path);
    expect(await answer.text()).not.toContain('engagement-service');
    expect(answer.status).toBe(404);
  });
});

describe('a sign-in at an identity provider', () => {
  const signIn = {
    issuer: 'https://login.example.com/realms/one',
    clientId: 'console',
    scope: 'openid',
    audience: undefined,
  };

  test('is published without a token; without one, there is none', async () => {
    const path = '/console/identity-provider';
    const app = consoleRoutes({ directory: built, clock, signIn });
    expect(await (await app.request(path)).json()).toEqual({
      identityProvider: { issuer: signIn.issuer, clientId: 'console', scope: 'openid' },
    });
    expect(await (await ask(path)).json()).toEqual({ identityProvider: null });
  });

  test('allows requests of the page to the issuer and the host of its token endpoint', async () => {
    const fetchDocument = async (issuer: string) => ({
      issuer,
      jwks_uri: 'https://keys.example.net/keys',
      token_endpoint: 'https://tokens.example.org/token',
    });
    expect(await issuerOrigins(signIn.issuer, clock, fetchDocument)()).toEqual([
      'https://login.example.com',
      'https://tokens.example.org',
    ]);
  });

  test('allows the issuer alone until its document can be fetched', async () => {
    let nowMs = 0;
    let isAway = true;
    const origins = issuerOrigins(signIn.issuer, { nowMs: () => nowMs }, async issuer => {
      if (isAway) throw new Error('away');
      const token_endpoint = 'https://tokens.example.org/token';
      return { issuer, jwks_uri: 'https://keys.example.net/keys', token_endpoint };
    });
    expect(await origins()).toEqual(['https://login.example.com']);
    isAway = false;
    nowMs = 60_000;
    await eventually(async () => expect(await origins()).toHaveLength(2));
  });
});
