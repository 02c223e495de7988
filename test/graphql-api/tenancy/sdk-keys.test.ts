// The life cycle of a key. Its effects in ingest are tested in changes-reach-ingest.test.ts.

import { describe, expect, test } from 'vitest';
import { decodeNodeId, encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createKey, createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const DAY_MS = 24 * 3600 * 1000;

type Shown = {
  readonly sdkKey: Readonly<Record<string, unknown>> | null;
  readonly replacedKey?: Readonly<Record<string, unknown>> | null;
  readonly userErrors: readonly { readonly code: string; readonly field: string[] | null }[];
};

const KEY = `id name minuteCap hourCap origins accepts isActive expiresAt revokedAt
  rotatedFrom { id } replacedBy { id }`;

async function call(tenant: Tenant, mutation: string, directive = ''): Promise<Shown> {
  const [name] = mutation.split('(') as [string];
  const replaced = name === 'sdkKeyRotate' ? `replacedKey { ${KEY} }` : '';
  const answer = await api().graphql(
    `mutation { ${mutation} ${directive} { sdkKey { ${KEY} } ${replaced} userErrors { code field } } }`,
    { token: await tokenFor(tenant.organizationId) },
  );
  expect(answer.errors, answer.text).toBeUndefined();
  return answer.data?.[name] as Shown;
}

function rotate(tenant: Tenant, id: unknown, input = '', directive = ''): Promise<Shown> {
  return call(tenant, `sdkKeyRotate(id: "${String(id)}", input: {${input}})`, directive);
}

function idOf({ keyId }: { readonly keyId: string }): string {
  return encodeNodeId('SdkKey', keyId);
}

describe.concurrent('rotation', () => {
  test('copies the settings; by default, the old key works for another day', async () => {
    const settings = {
      minuteCap: 7,
      hourCap: 70,
      origins: ['https://shop.example.com'],
      accepts: 'COMPATIBLE' as const,
    };
    const tenant = await createTenant(settings);
    const startMs = Date.now();
    const { sdkKey, replacedKey, userErrors } = await rotate(tenant, idOf(tenant));
    expect(userErrors).toEqual([]);
    expect(sdkKey).toMatchObject({
      ...settings,
      name: 'test',
      isActive: true,
      expiresAt: null,
      rotatedFrom: { id: idOf(tenant) },
      replacedBy: null,
    });
    expect(replacedKey).toMatchObject({
      isActive: true,
      rotatedFrom: null,
      replacedBy: { id: sdkKey?.id },
    });
    const overlapMs = Date.parse(String(replacedKey?.expiresAt)) - startMs;
    expect(overlapMs).toBeGreaterThanOrEqual(DAY_MS);
    expect(overlapMs).toBeLessThan(DAY_MS + 60_000);
  });

  test.for([
    ['overlapSeconds: 0', []],
    ['overlapSeconds: 2592000', []],
    ['overlapSeconds: null', []],
    ['overlapSeconds: -1', ['input', 'overlapSeconds']],
    ['overlapSeconds: 2592001', ['input', 'overlapSeconds']],
  ] as const)('%s', async ([input, field]) => {
    const tenant = await createTenant();
    const { userErrors, replacedKey } = await rotate(tenant, idOf(tenant), input);
    expect(userErrors).toEqual(field.length === 0 ? [] : [{ code: 'BAD_USER_INPUT', field }]);
    if (field.length === 0) expect(replacedKey?.isActive).toBe(input !== 'overlapSeconds: 0');
  });

  test('happens once per key, also for concurrent requests; the successor can be rotated', async () => {
    const tenant = await createTenant();
    const both = await Promise.all([1, 2].map(() => rotate(tenant, idOf(tenant))));
    const codes = both.flatMap(({ userErrors }) => userErrors.map(({ code }) => code));
    expect(codes).toEqual(['SDK_KEY_ROTATED']);
    const successor = both.find(({ sdkKey }) => sdkKey !== null)?.sdkKey;
    expect((await rotate(tenant, successor?.id)).userErrors).toEqual([]);
    const keys = await sql('SELECT id FROM sdk_keys WHERE workspace_id = $1', [tenant.workspaceId]);
    expect(keys).toHaveLength(3);
  });

  test('that is repeated with its idempotency key returns the same key', async () => {
    const tenant = await createTenant();
    const directive = `@idempotent(key: "${tenant.keyId}")`;
    const first = await rotate(tenant, idOf(tenant), '', directive);
    expect(await rotate(tenant, idOf(tenant), '', directive)).toEqual(first);
    expect(first.sdkKey).not.toBeNull();
  });

  test('in a workspace with the maximum number of keys requires an overlap of 0', async () => {
    const tenant = await createTenant();
    await sql(
      `INSERT INTO sdk_keys (id, workspace_id, name, write_key)
       SELECT gen_random_uuid(), $1::uuid, 'k', 'wk_full_' || $1 || '_' || n
       FROM generate_series(2, 100) n`,
      [tenant.workspaceId],
    );
    const made = await call(tenant, 'sdkKeyCreate(input: {name: "x"})');
    expect(made.userErrors).toMatchObject([{ code: 'TOO_MANY_SDK_KEYS' }]);
    const kept = await rotate(tenant, idOf(tenant));
    expect(kept.userErrors).toMatchObject([{ code: 'TOO_MANY_SDK_KEYS' }]);
    expect((await rotate(tenant, idOf(tenant), 'overlapSeconds: 0')).userErrors).toEqual([]);
  });
});

test('expired keys do not count toward the maximum', async () => {
  const tenant = await createTenant();
  await sql(
    `INSERT INTO sdk_keys (id, workspace_id, name, write_key, expires_at)
     SELECT gen_random_uuid(), $1::uuid, 'k', 'wk_room_' || $1 || '_' || n,
       now() - interval '1 second'
     FROM generate_series(1, 100) n`,
    [tenant.workspaceId],
  );
  expect((await call(tenant, 'sdkKeyCreate(input: {name: "x"})')).userErrors).toEqual([]);
});

test('the usage of caps includes an old active key, however many keys have ended since', async () => {
  const tenant = await createTenant();
  await sql(
    `INSERT INTO sdk_keys (id, workspace_id, name, write_key, created_at, revoked_at, expires_at)
     SELECT gen_random_uuid(), $1::uuid, 'k', 'wk_ended_' || $1 || '_' || n, now() + interval '1 minute',
       CASE WHEN n % 2 = 0 THEN now() END, CASE WHEN n % 2 = 1 THEN now() END
     FROM generate_series(1, 200) n`,
    [tenant.workspaceId],
  );
  const { data, text } = await api().graphql(
    '{ ingestHealth { caps { keys { sdkKey { id } } } } }',
    { token: await tokenFor(tenant.organizationId) },
  );
  expect(data?.ingestHealth, text).toEqual({ caps: { keys: [{ sdkKey: { id: idOf(tenant) } }] } });
});

describe.concurrent('a key that has ended', () => {
  test('by revocation stays revoked, and cannot be updated or rotated', async () => {
    const tenant = await createTenant();
    const id = idOf(tenant);
    const first = await call(tenant, `sdkKeyRevoke(id: "${id}")`);
    expect(first).toMatchObject({ sdkKey: { isActive: false }, userErrors: [] });
    expect(await call(tenant, `sdkKeyRevoke(id: "${id}")`)).toEqual(first);
    const ended = { sdkKey: null, userErrors: [{ code: 'SDK_KEY_ENDED', field: ['id'] }] };
    expect(await call(tenant, `sdkKeyUpdate(id: "${id}", input: {name: "x"})`)).toEqual(ended);
    expect(await rotate(tenant, id)).toMatchObject(ended);
  });

  test('by expiry is not active, and can be revoked', async () => {
    const tenant = await createTenant();
    await sql(`UPDATE sdk_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      tenant.keyId,
    ]);
    const id = idOf(tenant);
    const update = await call(tenant, `sdkKeyUpdate(id: "${id}", input: {name: "x"})`);
    expect(update.userErrors).toMatchObject([{ code: 'SDK_KEY_ENDED' }]);
    expect((await call(tenant, `sdkKeyRevoke(id: "${id}")`)).sdkKey?.revokedAt).not.toBeNull();
  });
});

test('an update changes only the given fields', async () => {
  const settings = { minuteCap: 7, hourCap: 70, origins: ['https://shop.example.com'] };
  const tenant = await createTenant(settings);
  const id = idOf(tenant);
  const named = await call(
    tenant,
    `sdkKeyUpdate(id: "${id}", input: {name: "Shop", accepts: COMPATIBLE})`,
  );
  expect(named.sdkKey).toMatchObject({ ...settings, name: 'Shop', accepts: 'COMPATIBLE' });
  const lifted = await call(
    tenant,
    `sdkKeyUpdate(id: "${id}", input: {minuteCap: null, origins: []})`,
  );
  expect(lifted.sdkKey).toMatchObject({
    name: 'Shop',
    minuteCap: null,
    hourCap: 70,
    origins: [],
    accepts: 'COMPATIBLE',
  });
  const reset = await call(tenant, `sdkKeyUpdate(id: "${id}", input: {accepts: null})`);
  expect(reset.sdkKey).toMatchObject({ name: 'Shop', accepts: 'CONTRACT' });
  const wrong = await call(tenant, `sdkKeyUpdate(id: "${id}", input: {origins: ["shop"]})`);
  expect(wrong.userErrors).toMatchObject([
    { code: 'BAD_USER_INPUT', field: ['input', 'origins', '0'] },
  ]);
});

test('an origin that is too wide or invalid is refused', async () => {
  const tenant = await createTenant();
  const set = (origin: string) =>
    call(tenant, `sdkKeyUpdate(id: "${idOf(tenant)}", input: {origins: ["${origin}"]})`);
  for (const origin of ['https://*.com', 'https://*.co.uk', 'https://*.10.0.0.1', 'javascript://x'])
    expect((await set(origin)).userErrors, origin).toMatchObject([
      { code: 'BAD_USER_INPUT', field: ['input', 'origins', '0'] },
    ]);
  for (const origin of [
    '*',
    'https://*.example.com',
    'capacitor://localhost',
    'http://*.localhost',
  ])
    expect((await set(origin)).userErrors, origin).toEqual([]);
});

test('an ID of another type is refused without being repeated', async () => {
  const tenant = await createTenant();
  const id = encodeNodeId('Workspace', tenant.workspaceId);
  const answer = await api().graphql(
    `mutation { sdkKeyRevoke(id: "${id}") { userErrors { code } } }`,
    { token: await tokenFor(tenant.organizationId) },
  );
  expect(answer.errors?.[0]?.extensions).toMatchObject({ reason: 'INVALID_ID', field: ['id'] });
  expect(answer.text).not.toContain(id);
});

describe.concurrent('over REST', () => {
  async function rest(
    tenant: Tenant,
    method: string,
    path: string,
    body?: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const answer = await api().rest(`/api/v1/sdk-keys/${path}`, {
      method,
      token: await tokenFor(tenant.organizationId),
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    type Body = { readonly status: string; readonly sdk_key: Readonly<Record<string, unknown>> };
    return { status: answer.status, body: answer.json() as Body, text: answer.text };
  }

  test('PATCH, rotate and revoke do the same', async () => {
    const tenant = await createTenant({ hourCap: 70 });
    const { keyId } = tenant;
    const patched = await rest(tenant, 'PATCH', keyId, { minute_cap: 5 });
    expect(patched).toMatchObject({
      status: 200,
      body: { status: 'SUCCESS', sdk_key: { id: keyId, minute_cap: 5, hour_cap: 70 } },
    });
    const headers = { 'idempotency-key': `rotate-${keyId}` };
    const rotated = await rest(tenant, 'POST', `${keyId}/rotate`, { overlap_seconds: 60 }, headers);
    expect(rotated.body.sdk_key).toMatchObject({ rotated_from_id: keyId, is_active: true });
    const repeated = await rest(
      tenant,
      'POST',
      `${keyId}/rotate`,
      { overlap_seconds: 60 },
      headers,
    );
    expect(repeated.body).toEqual(rotated.body);
    const again = await rest(tenant, 'POST', `${keyId}/rotate`, {});
    expect(again).toMatchObject({ status: 409, body: { detail: expect.any(String) } });
    const revoked = await rest(tenant, 'POST', `${keyId}/revoke`);
    expect(revoked.body.sdk_key).toMatchObject({
      id: keyId,
      is_active: false,
      revoked_at: expect.any(String),
    });
    expect((await rest(tenant, 'PATCH', keyId, { name: 'x' })).status).toBe(409);
  });

  test('400, 404', async () => {
    const tenant = await createTenant();
    const { keyId } = await createKey((await createTenant()).workspaceId);
    expect((await rest(tenant, 'PATCH', 'no-uuid', { name: 'x' })).status).toBe(400);
    expect((await rest(tenant, 'PATCH', tenant.keyId, { origin: [] })).status).toBe(400);
    const overlong = { overlap_seconds: 2_592_001 };
    expect((await rest(tenant, 'POST', `${tenant.keyId}/rotate`, overlong)).status).toBe(400);
    for (const [method, path] of [
      ['PATCH', keyId],
      ['POST', `${keyId}/rotate`],
      ['POST', `${keyId}/revoke`],
    ] as const)
      expect((await rest(tenant, method, path, {})).status, `${method} ${path}`).toBe(404);
  });

  test('the ID is the UUID in GraphQL’s global ID', async () => {
    const tenant = await createTenant();
    const { sdkKey } = await rotate(tenant, idOf(tenant));
    const { id } = decodeNodeId(String(sdkKey?.id));
    expect((await rest(tenant, 'POST', `${id}/revoke`)).status).toBe(200);
  });
});
