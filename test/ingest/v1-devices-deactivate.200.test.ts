import { describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { deviceRows, newAndroidToken, newIosToken } from '../harness/device.ts';
import { expectSuccess, type Fields, postJson } from '../harness/in-app.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();

const register = (tenant: Tenant, fields: Fields) =>
  postJson(ingest(), tenant, '/v1/devices/register', fields);
const deactivate = (tenant: Tenant, fields: Fields, headers: Record<string, string> = {}) =>
  postJson(ingest(), tenant, '/v1/devices/deactivate', fields, { headers });

async function statuses(tenant: Tenant): Promise<(string | null)[][]> {
  const rows = await deviceRows(tenant.workspaceId);
  return rows.map(row => [row.property_id, row.status]);
}

describe.concurrent('a deactivation', () => {
  test('marks the token inactive, with time and reason', async () => {
    const tenant = await liveTenant(ingest());
    const device = { device_token: newIosToken(), platform: 'ios' };
    expectSuccess(await register(tenant, { ...device, contact_id: 'contact-1' }));
    const [before] = await deviceRows(tenant.workspaceId);
    const sentAt = Date.now();
    expectSuccess(await deactivate(tenant, { ...device, reason: 'apns_inactive', more: 1 }));
    const [after] = await deviceRows(tenant.workspaceId);
    expect(after).toEqual({
      ...before,
      status: 'INACTIVE',
      deactivated_at: after?.deactivated_at,
      deactivation_reason: 'apns_inactive',
    });
    expect(after!.deactivated_at!.getTime()).toBeGreaterThanOrEqual(sentAt);
    expect(after!.deactivated_at!.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('that is repeated keeps the first one’s time and reason', async () => {
    const tenant = await liveTenant(ingest());
    const device = { device_token: newIosToken() };
    expectSuccess(await register(tenant, { ...device, platform: 'ios' }));
    expectSuccess(await deactivate(tenant, { ...device, reason: 'first' }));
    const before = await deviceRows(tenant.workspaceId);
    expectSuccess(await deactivate(tenant, { ...device, reason: 'second' }));
    expect(await deviceRows(tenant.workspaceId)).toEqual(before);
  });

  test('of an unregistered token succeeds, and creates no row', async () => {
    const tenant = await liveTenant(ingest());
    expectSuccess(await deactivate(tenant, { device_token: newIosToken(), platform: 'ios' }));
    expectSuccess(await deactivate(tenant, { device_token: newAndroidToken() }));
    expect(await deviceRows(tenant.workspaceId)).toEqual([]);
  });

  test.each([
    ['ios', newIosToken().toUpperCase()],
    ['android', newAndroidToken()],
  ])('finds a token of %s without the platform', async (platform, token) => {
    const tenant = await liveTenant(ingest());
    for (const unknown of [undefined, null, '']) {
      expectSuccess(await register(tenant, { device_token: token, platform }));
      expectSuccess(await deactivate(tenant, { device_token: token, platform: unknown }));
      expect(await statuses(tenant)).toEqual([[null, 'INACTIVE']]);
    }
  });

  test('without a property applies to every property of the workspace', async () => {
    const tenant = await liveTenant(ingest());
    const device = { device_token: newIosToken(), platform: 'ios' };
    expectSuccess(await register(tenant, device));
    expectSuccess(await register(tenant, { ...device, property_id: tenant.propertyId }));
    expectSuccess(await deactivate(tenant, device));
    expect(await statuses(tenant)).toEqual([
      [null, 'INACTIVE'],
      [tenant.propertyId, 'INACTIVE'],
    ]);
  });

  test.each(['body', 'header'])(
    'with a property in the %s applies to that property',
    async where => {
      const tenant = await liveTenant(ingest());
      const device = { device_token: newIosToken(), platform: 'ios' };
      expectSuccess(await register(tenant, device));
      expectSuccess(await register(tenant, { ...device, property_id: tenant.propertyId }));
      const body = where === 'body' ? { property_id: tenant.propertyId } : {};
      const headers: Record<string, string> =
        where === 'header' ? { 'x-property-id': tenant.propertyId } : {};
      expectSuccess(await deactivate(tenant, { ...device, ...body }, headers));
      expect(await statuses(tenant)).toEqual([
        [null, 'ACTIVE'],
        [tenant.propertyId, 'INACTIVE'],
      ]);
    },
  );

  test('can be followed by a registration that restores the record', async () => {
    const tenant = await liveTenant(ingest());
    const device = { device_token: newIosToken(), platform: 'ios' };
    expectSuccess(await register(tenant, { ...device, contact_id: 'contact-1' }));
    const [before] = await deviceRows(tenant.workspaceId);
    expectSuccess(await deactivate(tenant, { ...device, reason: 'apns_inactive' }));
    expectSuccess(await register(tenant, device));
    const [after] = await deviceRows(tenant.workspaceId);
    expect(after).toEqual({ ...before, registered_at: after?.registered_at });
  });
});
