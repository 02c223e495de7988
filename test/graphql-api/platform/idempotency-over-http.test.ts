// Idempotency keys as clients send them: `@idempotent(key:)` and `Idempotency-Key` are equivalent.

import { describe, expect, test } from 'vitest';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
/** More than the number of connections in the pool. */
const AT_ONCE = 10;

const CREATE = `mutation ($key: String!, $input: SdkKeyCreateInput!) {
  sdkKeyCreate(input: $input) @idempotent(key: $key) {
    sdkKey { writeKey }
    userErrors { code }
  }
}`;

type Input = { readonly name: string; readonly minuteCap?: number };

async function byGraphql(tenant: Tenant, key: string, input: Input): Promise<string> {
  const token = await tokenFor(tenant.organizationId);
  const answer = await api().graphql(CREATE, { token, variables: { key, input } });
  const payload = answer.data?.sdkKeyCreate as { sdkKey: { writeKey: string } } | null | undefined;
  return payload?.sdkKey.writeKey ?? String(answer.errors?.[0]?.extensions?.reason);
}

async function byRest(tenant: Tenant, key: string, { name, minuteCap }: Input) {
  const token = await tokenFor(tenant.organizationId);
  return api().rest('/api/v1/sdk-keys', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ name, minute_cap: minuteCap }),
  });
}

async function madeKeys(tenant: Tenant): Promise<unknown[]> {
  const rows = await sql(`SELECT write_key FROM sdk_keys WHERE workspace_id = $1 AND id <> $2`, [
    tenant.workspaceId,
    tenant.keyId,
  ]);
  return rows.map(row => row.write_key);
}

function writeKeyOf(answer: Awaited<ReturnType<typeof byRest>>): unknown {
  return (answer.json().sdk_key as { write_key: string }).write_key;
}

describe('one key', () => {
  test('used many times concurrently over GraphQL runs the mutation once', async () => {
    const tenant = await createTenant();
    const calls = Array.from({ length: AT_ONCE }, () => byGraphql(tenant, 'k', { name: 'one' }));
    const made = await madeKeysAfter(tenant, calls);
    expect(await Promise.all(calls)).toEqual(Array.from({ length: AT_ONCE }, () => made[0]));
  });

  test('used many times concurrently over REST runs the request once', async () => {
    const tenant = await createTenant();
    const calls = Array.from({ length: AT_ONCE }, () => byRest(tenant, 'k', { name: 'one' }));
    const made = await madeKeysAfter(tenant, calls);
    const answers = await Promise.all(calls);
    expect(answers.map(writeKeyOf)).toEqual(Array.from({ length: AT_ONCE }, () => made[0]));
  });

  test('is shared by GraphQL and REST, even concurrently', async () => {
    const tenant = await createTenant();
    const input = { name: 'one', minuteCap: 60 };
    const calls = Array.from({ length: AT_ONCE }, async (_, i) =>
      i % 2 === 0 ? byGraphql(tenant, 'k', input) : writeKeyOf(await byRest(tenant, 'k', input)),
    );
    const made = await madeKeysAfter(tenant, calls);
    expect(await Promise.all(calls)).toEqual(Array.from({ length: AT_ONCE }, () => made[0]));
  });

  test('with another input is refused, over both', async () => {
    const tenant = await createTenant();
    await byGraphql(tenant, 'k', { name: 'one' });
    expect(await byGraphql(tenant, 'k', { name: 'two' })).toBe('IDEMPOTENCY_KEY_MISMATCH');
    expect((await byRest(tenant, 'k', { name: 'two' })).status).toBe(422);
    expect(await madeKeys(tenant)).toHaveLength(1);
  });

  test('of another organization is another key', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    const made = await byGraphql(tenant, 'k', { name: 'one' });
    expect(await byGraphql(other, 'k', { name: 'one' })).not.toBe(made);
  });
});

test('other keys, or no key, repeat the mutation', async () => {
  const tenant = await createTenant();
  await byGraphql(tenant, 'k1', { name: 'one' });
  await byGraphql(tenant, 'k2', { name: 'one' });
  const token = await tokenFor(tenant.organizationId);
  const bare = 'mutation { sdkKeyCreate(input: {name: "one"}) { userErrors { code } } }';
  await api().graphql(bare, { token });
  await api().graphql(bare, { token });
  expect(await madeKeys(tenant)).toHaveLength(4);
});

test.for([
  ['empty', ''],
  ['too long', 'k'.repeat(256)],
  ['of other characters', 'ключ'],
] as const)('a key that is %s is refused', async ([, key]) => {
  const tenant = await createTenant();
  expect(await byGraphql(tenant, key, { name: 'one' })).toBe('INVALID_IDEMPOTENCY_KEY');
  expect(await madeKeys(tenant)).toEqual([]);
});

test('one field with two keys is refused', async () => {
  const tenant = await createTenant();
  const field = (key: string) =>
    `sdkKeyCreate(input: {name: "one"}) @idempotent(key: "${key}") { userErrors { code } }`;
  const answer = await api().graphql(`mutation { ${field('a')} ${field('b')} }`, {
    token: await tokenFor(tenant.organizationId),
  });
  expect(answer.errors?.[0]?.extensions?.reason).toBe('INVALID_IDEMPOTENCY_KEY');
  expect(await madeKeys(tenant)).toEqual([]);
});

/** Expects exactly one key to be created. */
async function madeKeysAfter(tenant: Tenant, calls: readonly Promise<unknown>[]) {
  await Promise.all(calls);
  const made = await madeKeys(tenant);
  expect(made).toHaveLength(1);
  return made;
}
