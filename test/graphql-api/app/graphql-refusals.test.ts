// Requests that /graphql refuses, and the responses, byte for byte.

import { describe, expect, test } from 'vitest';
import { createTenant } from '../../harness/tenant.ts';
import { tokenFor } from '../harness/tokens.ts';
import { ONE, PERSISTED, type Sent, useGraphqlServers } from './graphql-servers.ts';

const { deps, tenant, ask, askPersisted } = useGraphqlServers();

describe('is refused', () => {
  const cases: Record<string, () => Sent & { status: number; code?: string }> = {
    'a document that is refused': () => ({
      params: { query: '{ nothing }' },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'an operation that is not there': () => ({
      params: { query: 'query A { viewer { userId } }', operationName: 'Z' },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a variable that is missing': () => ({
      params: { query: ONE },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'an id that is none': () => ({
      params: { query: ONE, variables: { id: 'nonsense' } },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'variables that are a list': () => ({
      params: { query: ONE, variables: [] },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'variables that are nested deeper than the stack': () => ({
      params: `{"query":${JSON.stringify(ONE)},"variables":{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a parameter that nobody knows': () => ({
      params: { query: '{ viewer { userId } }', more: 1 },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a batch': () => ({
      params: [{ query: '{ viewer { userId } }' }],
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'no JSON': () => ({ params: '{', status: 400, code: 'BAD_USER_INPUT' }),
    'a NUL in a question': () => ({
      params: { query: ONE, variables: { id: 'a\0b' } },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a NUL in a document': () => ({
      params: { query: String.raw`{ node(id: "\u0000") { id } }` },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a token that is none': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { authorization: 'Bearer a.b.c' },
      status: 401,
      code: 'UNAUTHENTICATED',
    }),
    'who accepts no JSON': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { accept: 'text/html' },
      status: 406,
    }),
    'who accepts another charset only': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { accept: 'application/json; charset=latin1' },
      status: 406,
    }),
    'a workspace of somebody else': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { 'x-workspace-id': tenant().organizationId },
      status: 403,
      code: 'FORBIDDEN',
    }),
    'what costs too much': () => ({
      params: {
        query: `query ($n: Int!) { organization { workspaces(first: $n) { nodes { id } edges {
          node { id } } } } sdkKeys(first: $n) { edges { node { id rotatedFrom { id rotatedFrom {
          id rotatedFrom { id rotatedFrom { id rotatedFrom { id } } } } } } } } }`,
        variables: { n: 100 },
      },
      status: 400,
      code: 'MAX_COST_EXCEEDED',
    }),
  };
  test.each(Object.entries(cases))('%s', async (_name, of) => {
    const { status, code, ...sent } = of();
    for (const _time of ['first', 'second']) {
      const answer = await ask(sent);
      expect(answer.status).toBe(status);
      if (code !== undefined)
        expect(answer.body).toMatchObject({ errors: [{ extensions: { code } }] });
    }
  });

  test('a forbidden field among others', async () => {
    const query = '{ viewer { userId } refusedOutboxRows(first: 1) { nodes { id } } }';
    expect(await ask({ params: { query } })).toMatchObject({
      status: 403,
      body: { data: null, errors: [{ extensions: { code: 'FORBIDDEN' } }] },
    });
  });

  test('a page that is too large', async () => {
    const query = '{ sdkKeys(first: 1000) { nodes { id } } }';
    expect(await ask({ params: { query } })).toMatchObject({
      status: 400,
      body: { data: null, errors: [{ extensions: { reason: 'INVALID_PAGE', field: ['first'] } }] },
    });
  });

  test('a document, if only operations of the manifest are allowed', async () => {
    const sent = { params: { query: PERSISTED } };
    expect(await askPersisted(sent)).toMatchObject({
      body: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
    });
  });

  test('a tenant without points', async () => {
    const poor = await createTenant();
    const headers = { authorization: `Bearer ${await tokenFor(poor.organizationId)}` };
    const sent = { params: { query: '{ viewer { userId } }' }, headers };
    await ask(sent);
    const nowMs = deps().clock.nowMs();
    deps().clock.setMs(nowMs);
    try {
      const { points, clock } = deps();
      // Leaves one point.
      const { pointsLeft } = points.take(poor.organizationId, 1, clock.nowMs());
      points.take(poor.organizationId, pointsLeft - 1, clock.nowMs());
      expect(await ask(sent)).toMatchObject({ status: 200 });
      expect(await ask(sent)).toMatchObject({ status: 429 });
    } finally {
      deps().clock.setMs(undefined as never);
    }
  });
});
