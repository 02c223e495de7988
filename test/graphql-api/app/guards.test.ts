import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { createGraphql } from '../../../graphql-api/app/graphql-server.ts';
import { COST_MAX } from '../../../graphql-api/platform/graph/limits.ts';
import { send } from '../../harness/http.ts';
import { createTenant } from '../../harness/tenant.ts';
import { type GraphqlAnswer, startApi, useApi } from '../harness/api-process.ts';
import { contextOf, createDeps } from '../harness/deps.ts';
import { lastHours } from '../harness/report-rows.ts';
import { expectRefused, ownerToken } from './refused-request.ts';

const api = useApi();

describe.concurrent('documents', () => {
  // The deepest query that the schema allows: a type of a type of a type.
  const deep = `{ __schema { types { ${'ofType { '.repeat(20)} name ${'} '.repeat(20)} } } }`;

  test.for([
    ['no GraphQL', '{ viewer { '],
    ['an unknown field', '{ viewer { password } }'],
    ['too deep', deep],
    ['too deep inside a fragment', `query { ...F } fragment F on Query ${deep}`],
    [
      'too deep inside a fragment named like introspection',
      `query { ...__schema } fragment __schema on Query ${deep}`,
    ],
    [
      'too many aliases',
      `{ ${Array.from({ length: 30 }, (_, i) => `a${i}: viewer { userId }`).join(' ')} }`,
    ],
    [
      'too many aliases of __typename',
      `{ ${Array.from({ length: 30 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
    ],
    ['too many directives', `{ viewer { userId ${'@include(if: true) '.repeat(40)} } }`],
    ['too many tokens', `{ viewer { ${'userId '.repeat(3_000)} } }`],
    [
      'a variable of the wrong type',
      'query ($first: Int!) { sdkKeys(first: $first) { nodes { id } } }',
    ],
    ['a made-up id', '{ node(id: "U2RrS2V5OjE") { id } }'],
  ] as const)('%s', async ([what, document]) => {
    const answer = await api().graphql(document, { token: await ownerToken() });
    expectRefused(answer, 400, 'BAD_USER_INPUT');
    const limit = /too (?:deep|many (\w+))/.exec(what);
    if (limit === null) return;
    // Refused because of this limit, not because of another error in the document.
    const name = { aliases: 'Aliases', directives: 'Directives', tokens: 'Token' }[limit[1] ?? ''];
    expect(answer.text).toContain(`${name ?? 'Query depth'} limit`);
  });

  test('field names are not suggested', async () => {
    const answer = await api().graphql('{ viewer { userIdd } }', { token: await ownerToken() });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('Did you mean');
    expect(answer.text).not.toMatch(/"userId"/);
  });

  test('a page size of 0 or above the maximum, and an invalid cursor', async () => {
    const token = await ownerToken();
    // The maximum date, which Postgres cannot parse.
    const far = Buffer.from(`999999999999999:${uuidv7()}`).toString('base64url');
    const cursors = ['x', far].map(after => `first: 5, after: "${after}"`);
    for (const args of ['first: 0', 'first: 101', 'first: -1', ...cursors]) {
      const answer = await api().graphql(`{ sdkKeys(${args}) { nodes { id } } }`, { token });
      expectRefused(answer, 400, 'BAD_USER_INPUT');
    }
  });
});

describe.concurrent('a text with a NUL character', () => {
  test.for([
    [
      'in a variable',
      'query ($who: String) { auditEntries(first: 1, actorId: $who) { nodes { id } } }',
    ],
    ['in a document', '{ auditEntries(first: 1, actorId: "\\u0000") { nodes { id } } }'],
    ['in another spelling', '{ contactByUserId(userId: "a\\u{0}") { id } }'],
  ] as const)('is refused %s of a query', async ([, document]) => {
    const variables = { who: 'ann\0' };
    const answer = await api().graphql(document, { token: await ownerToken(), variables });
    expectRefused(answer, 400, 'BAD_USER_INPUT');
  });

  test('is a user error of a mutation', async () => {
    const document =
      'mutation ($name: String!) { workspaceUpdate(input: {name: $name}) { userErrors { field } } }';
    const variables = { name: 'a\0' };
    const answer = await api().graphql(document, { token: await ownerToken(), variables });
    expect(answer.data).toEqual({
      workspaceUpdate: { userErrors: [{ field: ['input', 'name'] }] },
    });
  });
});

describe.concurrent('requests', () => {
  test('several operations in one request are refused', async () => {
    const authorization = `Bearer ${await ownerToken()}`;
    const body = JSON.stringify([{ query: '{ viewer { userId } }' }]);
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await send(`${api().url}/graphql`, { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('user-of-a-test');
  });

  test('requests that another site could send without a preflight are refused before execution', async () => {
    const url = `${api().url}/graphql`;
    const query = encodeURIComponent('{ __typename }');
    const get = await send(`${url}?query=${query}`, { method: 'GET' });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = await send(url, { headers: form, body: `query=${query}` });
    for (const answer of [get, post]) {
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain('"data"');
    }
    const allowed = await send(`${url}?query=${query}`, {
      method: 'GET',
      headers: { 'x-graphql-yoga-csrf': '1' },
    });
    expect(allowed.json()).toMatchObject({ data: { __typename: 'Query' } });
  });

  test('a mutation by GET is refused', async () => {
    const query = encodeURIComponent(
      'mutation { workspaceUpdate(input: {name: "x"}) { __typename } }',
    );
    const headers = { authorization: `Bearer ${await ownerToken()}` };
    const answer = await send(`${api().url}/graphql?query=${query}`, { method: 'GET', headers });
    expect(answer.status).toBe(405);
  });

  test('a body that is too large', async () => {
    const token = await ownerToken();
    const answer = await api().graphql(`{ viewer { userId } } #${'x'.repeat(300_000)}`, { token });
    expect(answer.status).toBe(413);
    expect(answer.errors?.[0]?.extensions?.requestId).toBeDefined();
  });

  test('a defect is logged in full and returned without details', async () => {
    const deps = await createDeps();
    const tenant = await createTenant();
    const lines: unknown[] = [];
    const log = { ...deps.log, error: (facts: unknown) => lines.push(facts) };
    const context = {
      ...contextOf(deps, tenant),
      deps: { ...deps, log: log as never },
      read: () => Promise.reject(new TypeError('a secret of the inside')),
    };
    const request = new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ organization { name } }' }),
    });
    const answer = await createGraphql(deps)(request, context);
    const { errors } = (await answer.json()) as { errors: unknown };
    expect(JSON.stringify(errors)).not.toContain('secret');
    const extensions = { code: 'INTERNAL_SERVER_ERROR', requestId: context.requestId };
    const message = 'Something went wrong on our side.';
    expect(errors).toMatchObject([{ message, extensions }]);
    expect(lines).toMatchObject([{ requestId: context.requestId, err: expect.any(TypeError) }]);
    await deps.database.close();
  });
});

describe('cost', () => {
  test('is returned: the requested, actual and remaining points', async () => {
    const document = '{ sdkKeys(first: 50) { nodes { id } pageInfo { hasNextPage } } }';
    const answer = await api().graphql(document, { token: await ownerToken() });
    expect(answer.extensions?.cost).toEqual({
      requestedQueryCost: 1 + 50 * 2,
      // One point each for the connection, its key and its page info.
      actualQueryCost: 3,
      throttleStatus: {
        maximumAvailable: 10_000,
        currentlyAvailable: expect.any(Number),
        restoreRate: 1_000,
      },
    });
  });

  test('above the maximum prevents execution', async () => {
    const document = `{ organization { workspaces(first: 100) { nodes { id } edges { node { id } }
      pageInfo { hasNextPage } } } sdkKeys(first: 100) { ${Array.from(
        { length: 8 },
        (_, i) => `a${i}: nodes { id }`,
      ).join(' ')} } }`;
    const answer = await api().graphql(document, { token: await ownerToken() });
    expectRefused(answer, 400, 'MAX_COST_EXCEEDED');
    expect(answer.errors?.[0]?.extensions?.cost).toMatchObject({ maximumQueryCost: COST_MAX });
    expect(answer.data).toBeUndefined();
  });

  test('is not zero for fields next to an invalid argument', async () => {
    // Valid variables, with a value that only the field rejects.
    const document = `query ($n: Int = 1, $range: ReportRange!) {
      events(range: $range, first: $n) { nodes { messageId } }
      organization { name }
    }`;
    const variables = { n: null, range: lastHours(1) };
    const answer = await api().graphql(document, { token: await ownerToken(), variables });
    expectRefused(answer, 400, 'BAD_USER_INPUT');
    expect(answer.data).toBeUndefined();
  });

  test('includes the values of variables', async () => {
    const document = 'query ($n: Int!) { sdkKeys(first: $n) { nodes { id } } }';
    const token = await ownerToken();
    for (const n of [1, 100]) {
      const answer = await api().graphql(document, { token, variables: { n } });
      expect(answer.extensions?.cost).toMatchObject({ requestedQueryCost: 1 + n });
    }
  });
});

test('a tenant with too many requests receives a Retry-After, and other tenants are not affected', async () => {
  const slow = await startApi({ env: { RATE_POINTS_PER_SECOND: '20' } });
  try {
    const [token, other] = [await ownerToken(), await ownerToken()];
    const page = '{ sdkKeys(first: 99) { nodes { id } } }';
    const answers: GraphqlAnswer[] = [];
    // Each query reserves 100 points and returns 97, so of 200 saved points two may run at once,
    // but not three.
    for (let round = 0; round < 20 && !answers.some(({ status }) => status === 429); round++) {
      const wave = Array.from({ length: 8 }, () => slow.graphql(page, { token }));
      answers.push(...(await Promise.all(wave)));
    }
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.errors?.[0]?.extensions?.code).toBe('THROTTLED');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await slow.graphql('{ viewer { userId } }', { token: other })).status).toBe(200);

    // Even a refused change costs ten points, so even a busy machine uses them faster than they are
    // restored.
    const change = {
      token,
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    };
    let rest = await slow.rest('/api/v1/sdk-keys', change);
    for (let round = 0; round < 20 && rest.status !== 429; round++) {
      const wave = Array.from({ length: 16 }, () => slow.rest('/api/v1/sdk-keys', change));
      const all = await Promise.all(wave);
      rest = all.find(({ status }) => status === 429) ?? all[0]!;
    }
    expect(rest.status).toBe(429);
    expect(Number(rest.headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await slow.stop();
  }
});
