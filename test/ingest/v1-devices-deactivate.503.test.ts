import { afterAll, beforeAll, expect, test } from 'vitest';
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

const send = (tenant: Tenant, verb: 'register' | 'deactivate', fields: Fields) =>
  postJson(gated.ingest, tenant, `/v1/devices/${verb}`, fields);

test('only while Postgres is unavailable', async () => {
  const tenant = await liveTenant(gated.ingest);
  const device = { device_token: newIosToken(), platform: 'ios' };
  expectSuccess(await send(tenant, 'register', device));
  gated.setPostgresThere(false);
  for (let i = 0; i < 10; i++) expectUnavailable(await send(tenant, 'deactivate', device));
  expect((await deviceRows(tenant.workspaceId)).map(row => row.status)).toEqual(['ACTIVE']);
  gated.setPostgresThere(true);
  await eventually(async () => expectSuccess(await send(tenant, 'deactivate', device)));
  expect((await deviceRows(tenant.workspaceId)).map(row => row.status)).toEqual(['INACTIVE']);
  expect(gated.ingest.logs()).not.toContain(device.device_token);
});
