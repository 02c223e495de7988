import { describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { deviceRows, newAndroidToken, newIosToken } from '../harness/device.ts';
import { expectSuccess, type Fields, postJson } from '../harness/in-app.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { sql, type Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();

const register = (tenant: Tenant, fields: Fields, headers: Record<string, string> = {}) =>
  postJson(ingest(), tenant, '/v1/devices/register', fields, { headers });
const deactivate = (tenant: Tenant, fields: Fields) =>
  postJson(ingest(), tenant, '/v1/devices/deactivate', fields);

describe.concurrent('a device', () => {
  test('is stored with all its fields', async () => {
    const tenant = await liveTenant(ingest());
    const token = newAndroidToken();
    const before = Date.now();
    const userAgent = 'ü'.repeat(1_024);
    expectSuccess(
      await register(tenant, {
        device_token: token,
        platform: 'android',
        property_id: tenant.propertyId.toUpperCase(),
        contact_id: 'contact-1',
        anonymous_id: 'anonymous-1',
        app_version: '4.2.1',
        user_agent: userAgent,
        locale: 'de-DE',
      }),
    );
    const [row, ...others] = await deviceRows(tenant.workspaceId);
    expect(others).toEqual([]);
    const { created_at, epoch_started_at, registered_at, ...rest } = row!;
    expect(rest).toEqual({
      property_id: tenant.propertyId,
      token,
      platform: 'android',
      status: 'ACTIVE',
      epoch: 1,
      contact_id: 'contact-1',
      anonymous_id: 'anonymous-1',
      app_version: '4.2.1',
      user_agent: userAgent,
      deactivated_at: null,
      deactivation_reason: null,
    });
    expect(created_at.getTime()).toBeGreaterThanOrEqual(before);
    expect(created_at.getTime()).toBeLessThanOrEqual(Date.now());
    expect([epoch_started_at, registered_at]).toEqual([created_at, created_at]);
  });

  test('needs only its token and platform', async () => {
    const tenant = await liveTenant(ingest());
    const token = newIosToken();
    const nothing = { contact_id: null, anonymous_id: '', app_version: null, user_agent: '' };
    expectSuccess(await register(tenant, { device_token: token, platform: 'ios', ...nothing }));
    expect(await deviceRows(tenant.workspaceId)).toEqual([
      expect.objectContaining({
        property_id: null,
        contact_id: null,
        anonymous_id: null,
        app_version: null,
        user_agent: null,
      }),
    ]);
  });

  test('that registers again keeps omitted fields and updates the others', async () => {
    const tenant = await liveTenant(ingest());
    const device = { device_token: newIosToken(), platform: 'ios' };
    expectSuccess(await register(tenant, { ...device, contact_id: 'c-1', app_version: '1' }));
    const [first] = await deviceRows(tenant.workspaceId);
    expectSuccess(await register(tenant, { ...device, app_version: '2', user_agent: 'sdk' }));
    const [second, ...others] = await deviceRows(tenant.workspaceId);
    expect(others).toEqual([]);
    expect(second).toEqual({
      ...first,
      app_version: '2',
      user_agent: 'sdk',
      registered_at: second?.registered_at,
    });
    expect(second!.registered_at.getTime()).toBeGreaterThanOrEqual(first!.registered_at.getTime());
  });

  test('may change its platform', async () => {
    const tenant = await liveTenant(ingest());
    const token = newIosToken();
    expectSuccess(await register(tenant, { device_token: token, platform: 'ios' }));
    expectSuccess(await register(tenant, { device_token: token, platform: 'android' }));
    expect((await deviceRows(tenant.workspaceId)).map(row => row.platform)).toEqual(['android']);
  });

  test('is the same in upper and lower case of its iOS token', async () => {
    const tenant = await liveTenant(ingest());
    const token = newIosToken();
    for (const each of [token.toUpperCase(), token])
      expectSuccess(await register(tenant, { device_token: each, platform: 'ios' }));
    expect((await deviceRows(tenant.workspaceId)).map(row => row.token)).toEqual([token]);
  });

  test('is different in another case of its Android token', async () => {
    const tenant = await liveTenant(ingest());
    for (const token of ['abcdefgh:ijklmnop', 'ABCDEFGH:IJKLMNOP'])
      expectSuccess(await register(tenant, { device_token: token, platform: 'android' }));
    expect(await deviceRows(tenant.workspaceId)).toHaveLength(2);
  });

  test.each([
    ['ios', 'a'.repeat(64)],
    ['ios', 'F0'.repeat(100)],
    ['android', 'a'.repeat(16)],
    ['android', 'aZ09_:.-'.repeat(128)],
  ])(
    'with a token of the minimum or maximum length of its platform: %s',
    async (platform, token) => {
      const tenant = await liveTenant(ingest());
      expectSuccess(await register(tenant, { device_token: token, platform }));
      expect(await deviceRows(tenant.workspaceId)).toHaveLength(1);
    },
  );

  test('belongs to its workspace only', async () => {
    const [one, other] = [await liveTenant(ingest()), await liveTenant(ingest())];
    const token = newIosToken();
    const device = { device_token: token, platform: 'ios' };
    expectSuccess(await register(one, { ...device, contact_id: 'one' }));
    expectSuccess(await register(other, { ...device, contact_id: 'other' }));
    expectSuccess(await deactivate(other, device));
    expect((await deviceRows(one.workspaceId)).map(row => [row.contact_id, row.status])).toEqual([
      ['one', 'ACTIVE'],
    ]);
  });
});

describe.concurrent('the property', () => {
  test('is that of the body, otherwise of the header, otherwise none; each has its own row', async () => {
    const tenant = await liveTenant(ingest());
    const other = crypto.randomUUID();
    await sql('INSERT INTO properties (id, workspace_id, name) VALUES ($1, $2, $3)', [
      other,
      tenant.workspaceId,
      'App',
    ]);
    // Changes are received in order: a process that knows this tenant also knows the property.
    await liveTenant(ingest());
    const device = { device_token: newIosToken(), platform: 'ios' };
    const header = { 'x-property-id': other };
    for (let repeat = 0; repeat < 2; repeat++) {
      expectSuccess(await register(tenant, device));
      expectSuccess(await register(tenant, { ...device, property_id: '' }, header));
      expectSuccess(await register(tenant, { ...device, property_id: tenant.propertyId }, header));
    }
    const rows = await deviceRows(tenant.workspaceId);
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map(row => row.property_id))).toEqual(
      new Set([null, other, tenant.propertyId]),
    );
  });
});

describe.concurrent('many at once', () => {
  test('50 registrations of one token through both threads create one row', async () => {
    const tenant = await liveTenant(ingest());
    const token = newIosToken();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        register(tenant, {
          device_token: index % 2 === 0 ? token : token.toUpperCase(),
          platform: 'ios',
          ...(index === 7 ? { contact_id: 'contact-7' } : {}),
          app_version: `${index}`,
        }),
      ),
    );
    for (const answer of answers) expectSuccess(answer);
    expect(await deviceRows(tenant.workspaceId)).toEqual([
      expect.objectContaining({ token, status: 'ACTIVE', epoch: 1, contact_id: 'contact-7' }),
    ]);
  });

  test('registrations and deactivations of the same tokens in all orders all succeed', async () => {
    const tenant = await liveTenant(ingest());
    const tokens = Array.from({ length: 10 }, newIosToken);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const token = tokens[(index * 7) % tokens.length]!;
        const fields = { device_token: token, platform: 'ios' };
        return index % 3 === 0 ? deactivate(tenant, fields) : register(tenant, fields);
      }),
    );
    for (const answer of answers) expectSuccess(answer);
    for (const token of tokens)
      expectSuccess(await register(tenant, { device_token: token, platform: 'ios' }));
    const rows = await deviceRows(tenant.workspaceId);
    expect(rows.map(row => [row.token, row.status, row.epoch])).toEqual(
      tokens.toSorted().map(token => [token, 'ACTIVE', 1]),
    );
  });
});

describe.concurrent('a token that comes back', () => {
  test.each([
    ['29 days', '29 days', 1, 'contact-1'],
    ['31 days', '31 days', 2, null],
  ])('%s after its deactivation', async (_, age, epoch, contactId) => {
    const tenant = await liveTenant(ingest());
    const device = { device_token: newIosToken(), platform: 'ios' };
    expectSuccess(await register(tenant, { ...device, contact_id: 'contact-1' }));
    expectSuccess(await deactivate(tenant, device));
    await sql(
      `UPDATE devices SET created_at = created_at - interval '40 days',
         epoch_started_at = epoch_started_at - interval '40 days',
         deactivated_at = deactivated_at - $2::interval
       WHERE workspace_id = $1`,
      [tenant.workspaceId, age],
    );
    const [before] = await deviceRows(tenant.workspaceId);
    expectSuccess(await register(tenant, device));
    const [after] = await deviceRows(tenant.workspaceId);
    expect(after).toMatchObject({
      status: 'ACTIVE',
      epoch,
      contact_id: contactId,
      created_at: before!.created_at,
      epoch_started_at: epoch === 1 ? before!.epoch_started_at : after!.registered_at,
      deactivated_at: null,
    });
  });
});
