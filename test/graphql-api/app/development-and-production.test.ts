import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { send } from '../../harness/http.ts';
import { INTERNAL_TOKEN } from '../../harness/internal.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { startApi, useApi } from '../harness/api-process.ts';
import { expectRefused, ownerToken } from './refused-request.ts';

const api = useApi();

describe('development and production', () => {
  const html = { method: 'GET', headers: { accept: 'text/html' } };

  test('development has GraphiQL and /docs without the internet, and introspection', async () => {
    const graphiql = await send(`${api().url}/graphql`, html);
    expect(graphiql.status).toBe(200);
    const docs = await send(`${api().url}/docs`, html);
    for (const page of [graphiql.text, docs.text])
      expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//);
    for (const [, path] of docs.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await send(`${api().url}${path}`, { method: 'GET' })).status).toBe(200);
    const introspection = await api().graphql(getIntrospectionQuery());
    expect(introspection.data).toHaveProperty('__schema');
    const twice = await api().graphql(
      '{ a: __schema { types { name } } b: __schema { types { name } } }',
    );
    expectRefused(twice, 400, 'BAD_USER_INPUT');
  });

  test('GraphiQL is compressed, and sent again only after a change', async () => {
    const get = (headers: Record<string, string>) =>
      send(`${api().url}/graphql`, { method: 'GET', headers: { ...html.headers, ...headers } });
    const plain = await get({});
    for (const encoding of ['br', 'gzip']) {
      const answer = await get({ 'accept-encoding': encoding });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers.vary).toContain('Accept-Encoding');
      expect(answer.text.length).toBeLessThan(plain.text.length / 2);
    }
    expect(plain.headers['cache-control']).toBe('no-cache');
    const again = await get({ 'if-none-match': plain.headers.etag! });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('production has neither GraphiQL nor introspection, and requires a token', async () => {
    const production = await startApi({
      env: {
        NODE_ENV: 'production',
        INGEST_URL: 'http://127.0.0.1:1',
        INTERNAL_TOKEN,
      },
    });
    try {
      expect((await send(`${production.url}/graphql`, html)).text).not.toContain('<html');
      const token = await ownerToken();
      const introspection = await production.graphql(getIntrospectionQuery(), { token });
      expectRefused(introspection, 400, 'BAD_USER_INPUT');
      const stranger = await production.graphql('{ __typename }');
      expectRefused(stranger, 401, 'UNAUTHENTICATED');
      expect(stranger.text).not.toContain('Query');
      const viewer = await production.graphql('{ viewer { userId } }', { token });
      expect(viewer.data).toEqual({ viewer: { userId: 'user-of-a-test' } });
    } finally {
      await production.stop();
    }
  });

  test('with a manifest, only its operations are allowed', async () => {
    const document = '{ viewer { userId } }';
    const sha256Hash = createHash('sha256').update(document).digest('hex');
    const manifest = join(await newDirectory('manifest'), 'operations.json');
    await writeFile(manifest, JSON.stringify({ [sha256Hash]: document }));
    const closed = await startApi({ env: { PERSISTED_OPERATIONS_FILE: manifest } });
    try {
      const token = await ownerToken();
      const ask = async (hash: string) => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
        const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
        const body = JSON.stringify({ extensions });
        return (await send(`${closed.url}/graphql`, { headers, body })).json();
      };
      expect(await ask(sha256Hash)).toMatchObject({
        data: { viewer: { userId: 'user-of-a-test' } },
      });
      expect(await ask('0'.repeat(64))).not.toHaveProperty('data');
      expectRefused(await closed.graphql(document, { token }), 400, 'BAD_USER_INPUT');
    } finally {
      await closed.stop();
    }
  });
});
