// Changes by owners and platform admins take effect in ingest, with both processes as in
// production. Each test polls; the delay is measured elsewhere.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { decodeNodeId, encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { eventText } from '../../harness/batch.ts';
import { postEvents } from '../../harness/batch-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { type Answer, send } from '../../harness/http.ts';
import { type IngestProcess, startIngest } from '../../harness/ingest-process.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { withinOneWindow } from '../../harness/within-one-window.ts';
import { useApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';
import { KEY, type Key, sdkKeyActions } from './sdk-key-actions.ts';

/** Only this file enables and disables this cell. */
const CELL = `switched-${randomBytes(4).toString('hex')}`;
const api = useApi();
let ingest: IngestProcess;
beforeAll(async () => {
  // A single thread, so that a change visible to one request is visible to all.
  ingest = await startIngest({
    threads: 1,
    env: {
      [`CLICKHOUSE_URL_${CELL.replaceAll('-', '_').toUpperCase()}`]: inject('clickhouseUrl'),
    },
  });
});
afterAll(async () => {
  await ingest?.stop();
});

const { mutate, sendEvent, until, createKey } = sdkKeyActions({ api, ingest: () => ingest });

test('a created key works, and a revoked key does not', async () => {
  const tenant = await createTenant();
  const { id, writeKey, isActive } = await createKey(tenant);
  expect(isActive).toBe(true);
  await until(200, writeKey);
  const { sdkKey } = await mutate(tenant, 'sdkKeyRevoke', { id }, KEY);
  expect(sdkKey).toMatchObject({ id, isActive: false });
  await until(401, writeKey);
});

test('caps and origins apply once they are set, and null removes them', async () => {
  const tenant = await createTenant();
  const { id, writeKey } = await createKey(tenant);
  const [shop, elsewhere] = ['https://shop.example.com', 'https://elsewhere.example.com'];
  await until(200, writeKey, { origin: elsewhere });
  await mutate(tenant, 'sdkKeyUpdate', { id, input: { origins: [shop] } }, KEY);
  await until(403, writeKey, { origin: elsewhere });
  await until(200, writeKey, { origin: shop });
  await mutate(tenant, 'sdkKeyUpdate', { id, input: { origins: null } }, KEY);
  await until(200, writeKey, { origin: elsewhere });

  for (const cap of ['minuteCap', 'hourCap']) {
    await mutate(tenant, 'sdkKeyUpdate', { id, input: { [cap]: 1 } }, KEY);
    await until(429, writeKey, { count: 2 });
    await mutate(tenant, 'sdkKeyUpdate', { id, input: { [cap]: null } }, KEY);
    await until(200, writeKey, { count: 2 });
  }
});

test('a key accepts other vendors’ clients if its owner allows it, and so does its successor', async () => {
  const tenant = await createTenant();
  const { id, writeKey } = await createKey(tenant);
  const page = async (key: string) =>
    (
      await send(`${ingest.url}/v1/page`, {
        body: JSON.stringify({ userId: 'u', writeKey: key }),
        headers: { 'content-type': 'text/plain' },
      })
    ).status;
  const untilPage = (status: number, key: string) =>
    eventually(async () => expect(await page(key)).toBe(status));
  await untilPage(403, writeKey);
  await mutate(tenant, 'sdkKeyUpdate', { id, input: { accepts: 'COMPATIBLE' } }, KEY);
  await untilPage(200, writeKey);
  const { sdkKey } = await mutate(tenant, 'sdkKeyRotate', { id, input: {} }, KEY);
  await untilPage(200, sdkKey!.writeKey);
  await mutate(tenant, 'sdkKeyUpdate', { id, input: { accepts: null } }, KEY);
  await untilPage(403, writeKey);
});

test('a rotated key works in addition to its successor until the overlap ends', async () => {
  const tenant = await createTenant();
  const origin = 'https://shop.example.com';
  const old = await createKey(tenant, { origins: [origin] });
  const shown = `${KEY} replacedKey { id isActive expiresAt replacedBy { id } }`;
  const input = { overlapSeconds: 3600 };
  const { sdkKey, replacedKey } = await mutate(
    tenant,
    'sdkKeyRotate',
    { id: old.id, input },
    shown,
  );
  expect(replacedKey).toMatchObject({ isActive: true, replacedBy: { id: sdkKey!.id } });
  await until(200, sdkKey!.writeKey, { origin });
  await until(403, sdkKey!.writeKey, { origin: 'https://elsewhere.example.com' });
  await until(200, old.writeKey, { origin });

  // The overlap ends by time alone, without a change that ingest could receive.
  await sql(`UPDATE sdk_keys SET expires_at = now() + interval '1 second' WHERE id = $1`, [
    decodeNodeId(old.id).id,
  ]);
  await until(401, old.writeKey, { origin });
  await until(200, sdkKey!.writeKey, { origin });
});

test('a rotation without an overlap ends the old key immediately', async () => {
  const tenant = await createTenant();
  const old = await createKey(tenant);
  await until(200, old.writeKey);
  const input = { overlapSeconds: 0 };
  const { sdkKey } = await mutate(tenant, 'sdkKeyRotate', { id: old.id, input }, KEY);
  await until(200, sdkKey!.writeKey);
  await until(401, old.writeKey);
});

test('a new property can be used', async () => {
  const tenant = await createTenant();
  const { property } = await mutate(
    tenant,
    'propertyCreate',
    { input: { name: 'App' } },
    'property { id propertyId }',
  );
  await eventually(async () => {
    const headers = { 'x-property-id': String(property!.propertyId) };
    const answer = await postEvents(ingest, tenant.writeKey, [eventText()], {}, { headers });
    expect(answer.status).toBe(200);
  });
});

test('a new workspace accepts events with its own key', async () => {
  const tenant = await createTenant();
  const { workspace } = await mutate(
    tenant,
    'workspaceCreate',
    { input: { name: 'Second' } },
    'workspace { id cell { slug } }',
  );
  const workspaceId = decodeNodeId(workspace!.id).id;
  const token = await tokenFor(tenant.organizationId, { workspaceId });
  const document = 'mutation { sdkKeyCreate(input: {name: "a"}) { sdkKey { writeKey } } }';
  const { data } = await api().graphql(document, { token });
  const made = data?.sdkKeyCreate as { sdkKey: Key };
  expect(workspace!.cell).toEqual({ slug: 'default' });
  await until(200, made.sdkKey.writeKey);
});

test('a disabled cell returns 502, and other cells continue', async () => {
  const tenant = await createTenant({ cell: { slug: CELL, isEnabled: true } });
  const other = await createTenant();
  const [cell] = (await sql('SELECT id FROM cells WHERE slug = $1', [CELL])) as [{ id: string }];
  const id = encodeNodeId('Cell', cell.id);
  const setEnabled = (isEnabled: boolean) =>
    mutate(tenant, 'cellUpdate', { id, input: { isEnabled } }, 'cell { id isEnabled }', [
      'platform_admin',
    ]);
  await until(200, tenant.writeKey);
  expect((await setEnabled(false)).cell).toEqual({ id, isEnabled: false });
  await until(502, tenant.writeKey);
  await until(200, other.writeKey);
  expect((await setEnabled(true)).cell).toEqual({ id, isEnabled: true });
  await until(200, tenant.writeKey);
});

describe('an ingress limit', () => {
  const shown = 'organization { ingressEventsPerMinute ownIngressEventsPerMinute }';
  const platform = ['platform_admin'] as const;

  function setLimit(tenant: Tenant, eventsPerMinute: number | null) {
    const organizationId = encodeNodeId('Organization', tenant.organizationId);
    const input = { organizationId, eventsPerMinute };
    return mutate(tenant, 'ingressLimitSet', { input }, shown, platform);
  }

  /**
   * Sends an event with a key created after all other changes, so that ingest has received those
   * too.
   */
  async function firstEvent(tenant: Tenant): Promise<string> {
    const { writeKey } = await createKey(tenant);
    await until(200, writeKey);
    return writeKey;
  }

  function expectLimited(answer: Answer): void {
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }

  async function seenByOwner({ organizationId }: Tenant): Promise<unknown> {
    const token = await tokenFor(organizationId, { roles: ['owner'] });
    const { data } = await api().graphql('{ organization { ingressEventsPerMinute } }', { token });
    return data;
  }

  test('of five a minute, set by a platform admin, refuses the sixth event', () =>
    withinOneWindow(async () => {
      const tenant = await createTenant();
      expect(await setLimit(tenant, 5)).toMatchObject({
        organization: { ingressEventsPerMinute: 5, ownIngressEventsPerMinute: 5 },
      });
      const writeKey = await firstEvent(tenant);
      expect((await sendEvent(writeKey, { count: 4 })).status).toBe(200);
      expectLimited(await sendEvent(writeKey));
      // The limit is shared by all keys.
      expectLimited(await sendEvent(tenant.writeKey));
      await setLimit(tenant, null);
      await until(200, writeKey);
    }));

  test('is visible to the owner, who cannot set it', async () => {
    const tenant = await createTenant();
    await setLimit(tenant, 5);
    expect(await seenByOwner(tenant)).toEqual({ organization: { ingressEventsPerMinute: 5 } });
    const organizationId = encodeNodeId('Organization', tenant.organizationId);
    const document = `mutation { ingressLimitSet(
      input: { organizationId: "${organizationId}", eventsPerMinute: 500 }) { userErrors { code } } }`;
    const token = await tokenFor(tenant.organizationId, { roles: ['owner', 'member'] });
    const { errors } = await api().graphql(document, { token });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const [held] = await sql(
      `SELECT has_column_privilege('service_app', 'organizations', 'ingress_events_per_minute', 'UPDATE')`,
    );
    expect(held).toEqual({ has_column_privilege: false });
  });

  test('of a cell applies to organizations without their own limit', () =>
    withinOneWindow(async () => {
      const cell = { slug: CELL, isEnabled: true };
      const [tenant, exempt] = [await createTenant({ cell }), await createTenant({ cell })];
      const [{ id }] = (await sql('SELECT id FROM cells WHERE slug = $1', [CELL])) as [
        { id: string },
      ];
      const setDefault = (ingressEventsPerMinute: number | null) =>
        mutate(
          tenant,
          'cellUpdate',
          { id: encodeNodeId('Cell', id), input: { ingressEventsPerMinute } },
          'cell { isEnabled ingressEventsPerMinute }',
          platform,
        );
      expect(await setDefault(2)).toMatchObject({
        cell: { isEnabled: true, ingressEventsPerMinute: 2 },
      });
      expect(await setLimit(exempt, 1_000)).toMatchObject({
        organization: { ingressEventsPerMinute: 1_000, ownIngressEventsPerMinute: 1_000 },
      });
      expect(await seenByOwner(tenant)).toEqual({ organization: { ingressEventsPerMinute: 2 } });
      const writeKey = await firstEvent(tenant);
      expect((await sendEvent(writeKey)).status).toBe(200);
      expectLimited(await sendEvent(writeKey));
      expect((await sendEvent(exempt.writeKey, { count: 3 })).status).toBe(200);
      await setDefault(null);
      await until(200, writeKey);
    }));

  test('is visible to platform admins for all organizations', async () => {
    const tenant = await createTenant();
    await setLimit(tenant, 7);
    const document = `query ($search: String) { platformOrganizations(first: 5, search: $search) {
      nodes { id ingressEventsPerMinute ownIngressEventsPerMinute } } }`;
    const token = await tokenFor(tenant.organizationId, { roles: ['platform_admin'] });
    const variables = { search: tenant.organizationId };
    const { data } = await api().graphql(document, { token, variables });
    const id = encodeNodeId('Organization', tenant.organizationId);
    expect(data).toEqual({
      platformOrganizations: {
        nodes: [{ id, ingressEventsPerMinute: 7, ownIngressEventsPerMinute: 7 }],
      },
    });
  });
});

test('the time of the last use is returned', async () => {
  const tenant = await createTenant();
  const { id, writeKey, lastUsedAt } = await createKey(tenant);
  expect(lastUsedAt).toBeNull();
  await until(200, writeKey);
  const token = await tokenFor(tenant.organizationId);
  await eventually(async () => {
    const document = 'query ($id: ID!) { node(id: $id) { ... on SdkKey { lastUsedAt } } }';
    const { data } = await api().graphql(document, { token, variables: { id } });
    expect(data).toEqual({ node: { lastUsedAt: expect.stringMatching(/^\d{4}-.*:00\.000Z$/) } });
  });
});
