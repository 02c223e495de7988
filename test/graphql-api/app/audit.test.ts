// Every change has an audit entry. The cases are derived from the schema, so a new mutation fails
// here until it writes an entry.

import { type GraphQLField, getNamedType, isLeafType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../../graphql-api/app/graph.ts';
import { decodeNodeId, encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createSibling, createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { apiAt, type GraphqlAnswer } from '../harness/api-process.ts';
import { AUDIT_CASES, type AuditCase, NOT_AUDITED } from '../harness/audit-cases.ts';
import { useApiWithGateway } from '../harness/gateway.ts';
import { MUTATION_INPUTS, NODE_IDS } from '../harness/tenancy-cases.ts';
import { tokenFor } from '../harness/tokens.ts';
import { isUnavailable, whenAvailable } from '../harness/when-available.ts';

const { api } = useApiWithGateway();
const MUTATIONS = Object.values(schema.getMutationType()!.getFields());

describe.concurrent('every mutation', () => {
  test.for(MUTATIONS.map(field => field.name))('%s is in the log', async name => {
    const field = MUTATIONS.find(mutation => mutation.name === name)!;
    const { answer, refusals } = await whenAvailable(
      () => callOnce(field),
      call => call.answer !== undefined && isUnavailable(call.answer),
    );
    if (answer === undefined)
      expect.fail(`give audit-cases.ts what ${name} needs to succeed. ${refusals.join('\n')}`);
    const entries = await sql('SELECT action, actor_id FROM audit_log WHERE request_id = $1', [
      answer.headers['x-request-id'],
    ]);
    if (NOT_AUDITED[name] !== undefined) return expect(entries).toEqual([]);
    expect(entries, `${name} leaves no audit entry`).not.toEqual([]);
    for (const { actor_id } of entries) expect(actor_id).toBe('user-of-a-test');
  });
});

type Call = {
  /** Of the case that succeeded, or for which Postgres was too busy. */
  readonly answer?: GraphqlAnswer;
  readonly refusals: readonly string[];
};

/**
 * Calls the mutation for a tenant of its own. If Postgres is too busy, the change may have been made, and only
 * the object could not be read afterwards. For the same tenant, a repeat could then be refused: as a change of
 * an outdated version, for example.
 */
async function callOnce(field: GraphQLField<unknown, unknown>): Promise<Call> {
  const tenant = await createTenant();
  const token = await tokenFor(tenant.organizationId, {
    roles: ['owner', 'member', 'platform_admin'],
  });
  const once = apiAt(api().url, false);
  const refusals: string[] = [];
  for (const variables of await casesOf(field, tenant)) {
    const answer = await once.graphql(documentOf(field), { token, variables: { ...variables } });
    if (isUnavailable(answer)) return { answer, refusals };
    const payload = answer.data?.[field.name] as { userErrors: unknown[] } | null | undefined;
    if (answer.errors === undefined && payload?.userErrors.length === 0)
      return { answer, refusals };
    refusals.push(answer.text);
  }
  return { refusals };
}

/** One of the cases must succeed: the schema does not say which node type the ID has. */
async function casesOf(
  { name, args }: GraphQLField<unknown, unknown>,
  tenant: Tenant,
): Promise<readonly AuditCase[]> {
  const known = AUDIT_CASES[name];
  if (known !== undefined) return [await known(tenant)];
  const input = MUTATION_INPUTS[name]?.(tenant);
  const given = input === undefined ? {} : { input };
  if (!args.some(arg => arg.name === 'id')) return [given];
  return Object.entries(NODE_IDS).map(([typename, idOf]) => ({
    id: encodeNodeId(typename, idOf(tenant)),
    ...given,
  }));
}

function documentOf({ name, args, type, extensions }: GraphQLField<unknown, unknown>): string {
  const directive = extensions.needsIdempotencyKey ? '@idempotent(key: "walked")' : '';
  const declared = args.map(arg => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = args.map(arg => `${arg.name}: $${arg.name}`).join(', ');
  const payload = getNamedType(type);
  const shown = isObjectType(payload) ? Object.values(payload.getFields()) : [];
  const fields = shown
    .filter(field => field.name !== 'userErrors' && !isLeafType(getNamedType(field.type)))
    .map(field => `${field.name} { __typename }`);
  return `mutation (${declared}) {
    ${name}(${passed}) ${directive} { ${fields.join(' ')} userErrors { code message } }
  }`.replaceAll('()', '');
}

type Entry = {
  readonly action: string;
  readonly actorId: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly workspaceId: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
};

const ENTRY = 'action actorId subjectType subjectId workspaceId before after createdAt';

type Asked = Parameters<typeof tokenFor>[1] & { readonly as?: string };

/** The listed entries, newest first. */
async function entriesOf(
  tenant: Tenant,
  list: 'auditEntries' | 'organization' | 'platformAuditEntries',
  filter = '',
  { as = tenant.organizationId, ...options }: Asked = {},
): Promise<readonly Entry[]> {
  const field = list === 'organization' ? 'auditEntries' : list;
  const page = `${field}(first: 100 ${filter}) { nodes { ${ENTRY} } }`;
  const document = list === 'organization' ? `{ organization { ${page} } }` : `{ ${page} }`;
  const answer = await api().graphql(document, { token: await tokenFor(as, options) });
  expect(answer.errors, answer.text).toBeUndefined();
  const holder = (list === 'organization' ? answer.data?.organization : answer.data) as Record<
    string,
    { nodes: Entry[] }
  >;
  return holder[field]!.nodes;
}

async function mutate(tenant: Tenant, mutation: string, options: Asked = {}): Promise<string> {
  const token = await tokenFor(tenant.organizationId, options);
  const answer = await api().graphql(`mutation { ${mutation} { userErrors { message } } }`, {
    token,
  });
  expect(answer.errors, answer.text).toBeUndefined();
  expect(answer.text).toContain('"userErrors":[]');
  return answer.text;
}

const UNCHANGED = { hourCap: null, origins: [], accepts: 'CONTRACT' };

function keyId(tenant: Tenant): string {
  return encodeNodeId('SdkKey', tenant.keyId);
}

describe.concurrent('the log', () => {
  test('shows the actor, the change, and the values before and after', async () => {
    const tenant = await createTenant({ minuteCap: 10 });
    const id = keyId(tenant);
    await mutate(tenant, `sdkKeyUpdate(id: "${id}", input: {name: "Shop", minuteCap: null})`, {
      userId: 'ann',
    });
    expect(await entriesOf(tenant, 'auditEntries')).toEqual([
      {
        action: 'sdk_key.update',
        actorId: 'ann',
        subjectType: 'sdk_key',
        subjectId: id,
        workspaceId: encodeNodeId('Workspace', tenant.workspaceId),
        before: { ...UNCHANGED, name: 'test', minuteCap: 10 },
        after: { ...UNCHANGED, name: 'Shop', minuteCap: null },
        createdAt: expect.any(String),
      },
    ]);
  });

  test('is filtered by subject, actor, action and time', async () => {
    const tenant = await createTenant();
    const id = keyId(tenant);
    await mutate(tenant, 'propertyCreate(input: {name: "App"})', { userId: 'ann' });
    await mutate(tenant, `sdkKeyUpdate(id: "${id}", input: {name: "Shop"})`, { userId: 'bob' });
    await mutate(tenant, `sdkKeyRevoke(id: "${id}")`, { userId: 'ann' });
    const actions = async (filter: string) =>
      (await entriesOf(tenant, 'auditEntries', filter)).map(({ action }) => action);
    const all = ['sdk_key.revoke', 'sdk_key.update', 'property.create'];
    expect(await actions('')).toEqual(all);
    expect(await actions(`subjectId: "${id}"`)).toEqual(['sdk_key.revoke', 'sdk_key.update']);
    expect(await actions('subjectType: "property"')).toEqual(['property.create']);
    expect(await actions('actorId: "ann"')).toEqual(['sdk_key.revoke', 'property.create']);
    expect(await actions('actorId: "ann", action: "sdk_key.revoke"')).toEqual(['sdk_key.revoke']);
    expect(await actions('since: "2001-01-01T00:00:00Z"')).toEqual(all);
    expect(await actions('until: "2001-01-01T00:00:00Z"')).toEqual([]);
    const [{ at }] = (await sql(
      `SELECT created_at AS at FROM audit_log WHERE workspace_id = $1 AND action = 'sdk_key.update'`,
      [tenant.workspaceId],
    )) as [{ at: Date }];
    expect(await actions(`since: "${at.toISOString()}"`)).toEqual(all.slice(0, 2));
    expect(await actions(`until: "${at.toISOString()}"`)).toEqual(all.slice(2));
  });

  test('of a workspace omits other workspaces; that of the organization includes all', async () => {
    const tenant = await createTenant();
    const sibling = await createSibling(tenant);
    const here = { workspaceId: tenant.workspaceId };
    await mutate(tenant, 'organizationUpdate(input: {name: "Firm"})', here);
    await mutate(tenant, 'propertyCreate(input: {name: "App"})', here);
    await mutate(tenant, 'propertyCreate(input: {name: "Shop"})', {
      workspaceId: sibling.workspaceId,
    });
    const named = (entries: readonly Entry[]) => entries.map(({ after }) => after?.name);
    expect(named(await entriesOf(tenant, 'auditEntries', '', here))).toEqual(['App']);
    expect(named(await entriesOf(tenant, 'organization', '', here))).toEqual(['App', 'Firm']);
    expect(named(await entriesOf(tenant, 'organization'))).toEqual(['Shop', 'App', 'Firm']);
  });

  test('is not visible to members, and that of the platform not to owners', async () => {
    const tenant = await createTenant();
    const lists = [
      ['member', 'auditEntries(first: 1) { nodes { id } }'],
      ['member', 'organization { auditEntries(first: 1) { nodes { id } } }'],
      ['owner', 'platformAuditEntries(first: 1) { nodes { id } }'],
      ['owner', 'cells(first: 1) { nodes { id } }'],
    ] as const;
    for (const [role, list] of lists) {
      const token = await tokenFor(tenant.organizationId, { roles: [role] });
      const { errors } = await api().graphql(`{ ${list} }`, { token });
      expect(errors?.[0]?.extensions?.code, `${list} as ${role}`).toBe('FORBIDDEN');
    }
  });

  test('of the platform includes every organization and changes without an organization', async () => {
    const [tenant, platform] = [await createTenant(), await createTenant()];
    await mutate(tenant, 'propertyCreate(input: {name: "App"})');
    const [cell] = (await sql(`SELECT id FROM cells WHERE slug = 'default'`)) as [{ id: string }];
    const id = encodeNodeId('Cell', cell.id);
    const admin = { roles: ['platform_admin'] as const, userId: `admin-${tenant.keyId}` };
    await mutate(platform, `cellUpdate(id: "${id}", input: {isEnabled: true})`, {
      ...admin,
      roles: [...admin.roles],
    });
    const asked: Asked = { as: platform.organizationId, roles: ['platform_admin'] };
    const filter = `organizationId: "${encodeNodeId('Organization', tenant.organizationId)}"`;
    const theirs = await entriesOf(tenant, 'platformAuditEntries', filter, asked);
    expect(theirs.map(({ action }) => action)).toEqual(['property.create']);
    const byAdmin = `actorId: "${admin.userId}", subjectId: "${id}"`;
    expect(await entriesOf(tenant, 'platformAuditEntries', byAdmin, asked)).toMatchObject([
      { action: 'cell.update', subjectType: 'cell', subjectId: id, workspaceId: null },
    ]);
  });

  test('contains neither refusals nor revocations without effect', async () => {
    const tenant = await createTenant();
    const id = keyId(tenant);
    await mutate(tenant, `sdkKeyRevoke(id: "${id}")`);
    await mutate(tenant, `sdkKeyRevoke(id: "${id}")`);
    const token = await tokenFor(tenant.organizationId);
    const refused = await api().graphql(
      `mutation { sdkKeyUpdate(id: "${id}", input: {name: "x"}) { userErrors { code } } }`,
      { token },
    );
    expect(refused.data?.sdkKeyUpdate).toEqual({ userErrors: [{ code: 'SDK_KEY_ENDED' }] });
    const entries = await entriesOf(tenant, 'auditEntries');
    expect(entries.map(({ action }) => action)).toEqual(['sdk_key.revoke']);
    expect(decodeNodeId(entries[0]!.subjectId)).toEqual({ typename: 'SdkKey', id: tenant.keyId });
  });
});
