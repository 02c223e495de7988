import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { deviceRows, newIosToken } from '../harness/device.ts';
import { eventually } from '../harness/eventually.ts';
import { expectUnavailable, type GatedIngest, startGatedIngest } from '../harness/gated-ingest.ts';
import { expectSuccess, type Fields, postJson } from '../harness/in-app.ts';
import type { Tenant } from '../harness/tenant.ts';

let gated: GatedIngest;
beforeAll(async () => {
  gated = await startGatedIngest();
});
afterAll(async () => {
  await gated?.stop();
});

const register = (tenant: Tenant, fields: Fields) =>
  postJson(gated.ingest, tenant, '/v1/devices/register', fields);

test('only while Postgres is unavailable', async () => {
  const tenant = await liveTenant(gated.ingest);
  const device = { device_token: newIosToken(), platform: 'ios' };
  gated.setPostgresThere(false);
  for (let i = 0; i < 10; i++) expectUnavailable(await register(tenant, device));
  expect(await deviceRows(tenant.workspaceId)).toEqual([]);
  gated.setPostgresThere(true);
  await eventually(async () => expectSuccess(await register(tenant, device)));
  expect(await deviceRows(tenant.workspaceId)).toHaveLength(1);
  expect(gated.ingest.logs()).not.toContain(device.device_token);
});

test('in large numbers, reported in few log lines', async () => {
  const tenant = await liveTenant(gated.ingest);
  const device = { device_token: newIosToken(), platform: 'ios' };
  const requests = 100;
  gated.setPostgresThere(false);
  await eventually(async () => expectUnavailable(await register(tenant, device)));
  for (let i = 0; i < requests; i++) expectUnavailable(await register(tenant, device));
  gated.setPostgresThere(true);
  const lines = gated.ingest.stdoutLines().filter(line => line.includes('could not be stored'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(requests / 2);
  await eventually(async () => expectSuccess(await register(tenant, device)));
});

test('only if Postgres does not respond in time', async () => {
  const tenant = await liveTenant(gated.ingest);
  const device = { device_token: newIosToken(), platform: 'ios' };
  await eventually(async () => expectSuccess(await register(tenant, device)));
  const blocker = new pg.Client({ connectionString: inject('databaseUrls').owner });
  await blocker.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM devices WHERE workspace_id = $1 FOR UPDATE', [
      tenant.workspaceId,
    ]);
    expectUnavailable(await register(tenant, { ...device, app_version: '2' }));
    await blocker.query('ROLLBACK');
  } finally {
    await blocker.end();
  }
  await eventually(async () =>
    expectSuccess(await register(tenant, { ...device, app_version: '3' })),
  );
  expect(await deviceRows(tenant.workspaceId)).toEqual([
    expect.objectContaining({ app_version: '3', epoch: 1 }),
  ]);
  expect(gated.ingest.logs()).not.toContain(device.device_token);
});
