// Tenant isolation: every query, mutation and REST path is called with the IDs of another
// organization. The cases are derived from the schema, so a new noun is covered automatically.

import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../../graphql-api/app/graph.ts';
import { printedOpenApi } from '../../../graphql-api/app/rest.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createSibling, createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { FURNISHED_USER_ID, furnish } from '../harness/furnish.ts';
import { furnishWallet } from '../harness/furnish-wallet.ts';
import { useApiWithGateway } from '../harness/gateway.ts';
import { insertOneOfEach } from '../harness/report-rows.ts';
import {
  CHOSEN_ARGUMENTS,
  MUTATION_INPUTS,
  NODE_IDS,
  PATH_PARAMETERS,
  PLATFORM_PATHS,
  PLATFORM_QUERIES,
  PUBLIC_PATHS,
  QUERY_ARGUMENTS,
  REST_BODIES,
} from '../harness/tenancy-cases.ts';
import { tokenFor } from '../harness/tokens.ts';

// Hundreds of concurrent requests: with the smaller pool of other tests, a busy machine would
// refuse some.
const { api } = useApiWithGateway({ DATABASE_POOL_MAX: '8' });
const NODE_TYPES = schema.getPossibleTypes(schema.getType('Node') as never).map(type => type.name);
const QUERIES = Object.values(schema.getQueryType()!.getFields());
const MUTATIONS = Object.values(schema.getMutationType()!.getFields());
const OPENAPI_PATHS = Object.entries(
  (JSON.parse(printedOpenApi()) as { paths: Record<string, Record<string, unknown>> }).paths,
).flatMap(([path, operations]) => Object.keys(operations).map(method => [method, path] as const));

let own: Tenant;
let foreign: Tenant;
let token: string;
let foreignToken: string;
beforeAll(async () => {
  [own, foreign] = [await createTenant(), await createTenant()];
  await Promise.all([own, foreign].map(furnish));
  await Promise.all([own, foreign].map(tenant => furnishWallet(tenant)));
  for (const tenant of [own, foreign]) await insertOneOfEach(tenant, FURNISHED_USER_ID);
  token = await tokenFor(own.organizationId, { roles: ['owner', 'member'] });
  foreignToken = await tokenFor(foreign.organizationId, { roles: ['owner', 'member'] });
});

describe.concurrent('queries', () => {
  test.for(NODE_TYPES)('node(id:) of a foreign %s is null', async typename => {
    const known = NODE_IDS[typename];
    expect(known, `say in tenancy-cases.ts how to get the id of a ${typename}`).toBeDefined();
    const id = encodeNodeId(typename, known!(foreign));
    const document = 'query ($id: ID!) { node(id: $id) { id __typename } }';
    const variables = { id };
    const owners = await api().graphql(document, { variables, token: foreignToken });
    expect(owners.data, 'its owner sees it').toEqual({ node: { id, __typename: typename } });
    const answer = await api().graphql(document, { variables, token });
    expect(answer.data).toEqual({ node: null });
  });

  test.for(QUERIES.map(field => field.name))('%s shows nothing foreign', async name => {
    const field = QUERIES.find(query => query.name === name)!;
    const hasId = field.args.some(({ type }) => getNamedType(type).name === 'ID');
    for (const typename of hasId ? NODE_TYPES : ['SdkKey']) {
      const document = queryOf(field, typename);
      const answer = await api().graphql(document, { token });
      expect(answer.status, answer.text).toBe(PLATFORM_QUERIES.has(name) ? 403 : 200);
      expectNothingForeign(answer.text);
    }
  });

  test('the tested queries return the owner’s own data', async () => {
    const answers: [string, string][] = [];
    // Sequentially: on a busy machine, some of many concurrent reports would not get a slot in
    // time.
    for (const field of QUERIES) {
      const { text } = await api().graphql(queryOf(field, 'SdkKey'), { token: foreignToken });
      answers.push([field.name, text]);
    }
    const all = answers.join();
    // Rows in the warehouse contain the plain ID of their workspace.
    const reports = answers.filter(([, text]) => text.includes(foreign.workspaceId));
    expect(reports.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'campaignFunnel',
        'campaignResponses',
        'eventCounts',
        'events',
        'funnel',
        'rejectedEventCodes',
        'rejectedEvents',
        'sends',
        'trends',
        'userTimeline',
      ]),
    );
    expect(all).toContain(foreign.writeKey);
    expect(all).toContain(encodeNodeId('Workspace', foreign.workspaceId));
    expect(all).toContain(encodeNodeId('Organization', foreign.organizationId));
  });

  test('a cursor of a foreign list shows nothing of it', async () => {
    const document = `query ($after: String) {
      sdkKeys(first: 5, after: $after) { nodes { writeKey } pageInfo { endCursor } }
    }`;
    const theirs = await api().graphql(document, { token: foreignToken });
    const page = theirs.data?.sdkKeys as { pageInfo: { endCursor: string } };
    const variables = { after: page.pageInfo.endCursor };
    expectNothingForeign((await api().graphql(document, { token, variables })).text);
  });
});

describe('mutations', () => {
  test.for(MUTATIONS.map(field => field.name))('%s changes nothing foreign', async name => {
    const field = MUTATIONS.find(mutation => mutation.name === name)!;
    const hasInput = field.args.some(({ type }) => isInputObjectType(getNamedType(type)));
    const input = MUTATION_INPUTS[name];
    if (hasInput) expect(input, `give tenancy-cases.ts an input of ${name}`).toBeDefined();
    const before = await rowsOf(foreign);
    const hasId = field.args.some(arg => arg.name === 'id');
    for (const typename of hasId ? NODE_TYPES : ['']) {
      const variables = {
        ...(hasInput && { input: input!(foreign) }),
        ...(hasId && { id: encodeNodeId(typename, NODE_IDS[typename]!(foreign)) }),
      };
      const answer = await api().graphql(mutationOf(field), { token, variables });
      expectNothingForeign(answer.text);
      if (hasId) expect(didSomething(answer.data?.[name])).toBe(false);
    }
    expect(await rowsOf(foreign)).toEqual(before);
  });
});

describe.concurrent('REST', () => {
  test.for(OPENAPI_PATHS)('%s %s shows and changes nothing foreign', async ([method, path]) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const known = PATH_PARAMETERS[name];
      expect(known, `say in tenancy-cases.ts what replaces {${name}}`).toBeDefined();
      return known!(foreign);
    });
    const before = await rowsOf(foreign);
    const isRead = method === 'get';
    const answer = await api().rest(filled, {
      method: method.toUpperCase(),
      token,
      // Set explicitly, because the mutations above have created a second workspace.
      headers: { 'content-type': 'application/json', 'x-workspace-id': own.workspaceId },
      ...(!isRead && { body: JSON.stringify(REST_BODIES[path] ?? { name: 'walked' }) }),
    });
    expectNothingForeign(answer.text);
    if (PLATFORM_PATHS.test(path)) expect(answer.status).toBe(403);
    else if (filled !== path && !PUBLIC_PATHS.test(path))
      expect(answer.status, answer.text).toBe(404);
    expect(await rowsOf(foreign)).toEqual(before);
  });

  test('a foreign workspace in X-Workspace-ID is refused, also over GraphQL', async () => {
    const headers = { 'x-workspace-id': foreign.workspaceId };
    const rest = await api().rest('/api/v1/workspaces/current', { token, headers });
    expect(rest.status).toBe(403);
    const graphql = await api().graphql('{ workspace { name } }', { token, headers });
    expect(graphql.status).toBe(403);
    for (const { text } of [rest, graphql]) expectNothingForeign(text);
  });
});

test('each subscription has its own test', () => {
  // `live` is covered by live/live.test.ts, "another workspace sees nothing".
  expect(Object.keys(schema.getSubscriptionType()!.getFields())).toEqual(['live']);
});

test('a sibling workspace is also foreign if the request names a workspace', async () => {
  const sibling = await createSibling(await createTenant());
  const bound = await tokenFor(sibling.organizationId, { workspaceId: sibling.workspaceId });
  const [other] = (await sql('SELECT id FROM workspaces WHERE organization_id = $1 AND id <> $2', [
    sibling.organizationId,
    sibling.workspaceId,
  ])) as [{ id: string }];
  const [key] = (await sql('SELECT id, write_key FROM sdk_keys WHERE workspace_id = $1', [
    other.id,
  ])) as [{ id: string; write_key: string }];
  const document = `query ($workspace: ID!, $key: ID!) {
    workspace: node(id: $workspace) { id } key: node(id: $key) { id }
    sdkKeys(first: 10) { nodes { writeKey } }
    organization { workspaces(first: 10) { nodes { id } } }
  }`;
  const variables = {
    workspace: encodeNodeId('Workspace', other.id),
    key: encodeNodeId('SdkKey', key.id),
  };
  const answer = await api().graphql(document, { token: bound, variables });
  expect(answer.data).toMatchObject({ workspace: null, key: null });
  expect(answer.text).not.toContain(key.write_key);
  expect(answer.text).not.toContain(variables.workspace);
});

function expectNothingForeign(text: string): void {
  const secrets = [foreign.organizationId, foreign.workspaceId, foreign.writeKey, foreign.keyId];
  for (const secret of secrets) expect(text).not.toContain(secret);
  for (const typename of NODE_TYPES)
    expect(text).not.toContain(encodeNodeId(typename, NODE_IDS[typename]!(foreign)));
}

function didSomething(payload: unknown): boolean {
  const { userErrors: _, __typename, ...shown } = (payload ?? {}) as Record<string, unknown>;
  return Object.values(shown).some(Boolean);
}

function queryOf(field: GraphQLField<unknown, unknown>, typename: string): string {
  const args = field.args
    .filter(({ name, type }) => isNonNullType(type) || CHOSEN_ARGUMENTS[field.name] === name)
    .map(({ name, type }) => {
      if (getNamedType(type).name === 'ID')
        return `${name}: "${encodeNodeId(typename, NODE_IDS[typename]!(foreign))}"`;
      expect(QUERY_ARGUMENTS, `give tenancy-cases.ts a value of ${name}`).toHaveProperty(name);
      return `${name}: ${literalOf(type, QUERY_ARGUMENTS[name])}`;
    });
  const list = args.length === 0 ? '' : `(${args.join(', ')})`;
  return `{ ${field.name}${list} ${selection(field.type, 4)} }`;
}

/** A literal in GraphQL syntax: field names and enum values are not quoted. */
function literalOf(type: GraphQLInputType, value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(item => literalOf(type, item)).join(', ')}]`;
  const named = getNamedType(type);
  if (isEnumType(named)) return String(value);
  if (!isInputObjectType(named)) return JSON.stringify(value).replaceAll(/"(\w+)":/g, '$1: ');
  const fields = Object.entries(value as object).map(
    ([name, inner]) => `${name}: ${literalOf(named.getFields()[name]!.type, inner)}`,
  );
  return `{${fields.join(', ')}}`;
}

function mutationOf(field: GraphQLField<unknown, unknown>): string {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const directive = field.extensions.needsIdempotencyKey ? `@idempotent(key: "${uuidv7()}")` : '';
  const document = `mutation (${declared}) { ${field.name}(${passed}) ${directive} ${selection(field.type, 3)} }`;
  return document.replaceAll('()', '');
}

/** Selects all fields down to a depth, except lists within lists, whose costs would multiply. */
function selection(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (named.name === 'Node') return '{ __typename id }';
  if (!isObjectType(named)) {
    const each = schema.getPossibleTypes(named);
    const parts = each.map(one => `... on ${one.name} ${selection(one, depth)}`);
    return `{ __typename ${parts.join(' ')} }`;
  }
  const fields = Object.values(named.getFields()).flatMap(field => {
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) return field.args.length === 0 ? [field.name] : [];
    if (depth === 0 || field.name === 'edges') return [];
    const isPaged = field.args.some(({ name }) => name === 'first');
    if (field.args.length > 0 && !isPaged) return [];
    return [`${field.name}${isPaged ? '(first: 3)' : ''} ${selection(field.type, depth - 1)}`];
  });
  return `{ __typename ${fields.join(' ')} }`;
}

/** Every row of the tenant in any table, as the owner of the tables sees it. */
async function rowsOf(tenant: Tenant): Promise<unknown> {
  const columns = (await sql(
    `SELECT table_name, column_name FROM information_schema.columns
     JOIN pg_class ON relname = table_name AND relkind IN ('r', 'p')
     WHERE table_schema = 'public' AND (column_name IN ('organization_id', 'workspace_id')
        OR (table_name, column_name) = ('organizations', 'id'))
     ORDER BY 1, 2`,
  )) as { table_name: string; column_name: string }[];
  const rows = [];
  for (const { table_name: table, column_name: column } of columns) {
    const id = column === 'workspace_id' ? tenant.workspaceId : tenant.organizationId;
    const found = await sql(
      `SELECT to_jsonb(t) AS row FROM "${table}" t WHERE "${column}"::text = $1 ORDER BY 1::text`,
      [id],
    );
    rows.push({ table, rows: found.map(({ row }) => row) });
  }
  return rows;
}
