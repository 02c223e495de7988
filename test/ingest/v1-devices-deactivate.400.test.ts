import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { deviceRows, newAndroidToken, newIosToken } from '../harness/device.ts';
import { expectSuccess, type Fields, postJson } from '../harness/in-app.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const deactivate = (fields: Fields | string) =>
  postJson(ingest(), tenant, '/v1/devices/deactivate', fields);

async function expectRefused(fields: Fields, code: string, field: string): Promise<void> {
  const answer = await deactivate(fields);
  expectProblem(answer, 400, code);
  expect(answer.json().detail).toContain(field);
  const token = fields.device_token;
  if (typeof token === 'string' && token !== '') expect(answer.text).not.toContain(token);
}

describe.concurrent('MISSING_FIELD', () => {
  test.each([undefined, null, ''])('device_token: %j', async token => {
    await expectRefused({ device_token: token }, 'MISSING_FIELD', 'device_token');
  });
});

describe.concurrent('INVALID_FIELD', () => {
  test.each(['device_token', 'platform', 'property_id', 'reason'])(
    '%s of another type',
    async field => {
      for (const value of [5, true, {}, ['x']])
        await expectRefused(
          { device_token: newIosToken(), [field]: value },
          'INVALID_FIELD',
          field,
        );
    },
  );

  test('an unknown platform', async () => {
    const fields = { device_token: newIosToken(), platform: 'web' };
    await expectRefused(fields, 'INVALID_FIELD', 'platform');
  });

  test('a token that is invalid for its platform, or for any', async () => {
    for (const fields of [
      { device_token: newAndroidToken(), platform: 'ios' },
      { device_token: 'too-short', platform: 'android' },
      { device_token: 'too-short' },
      { device_token: `${newIosToken()} ` },
    ])
      await expectRefused(fields, 'INVALID_FIELD', 'device_token');
  });
});

describe.concurrent('limits', () => {
  test('FIELD_TOO_LONG', async () => {
    const reason = 'x'.repeat(513);
    await expectRefused({ device_token: newIosToken(), reason }, 'FIELD_TOO_LONG', 'reason');
    const token = 'x'.repeat(1_025);
    await expectRefused({ device_token: token }, 'FIELD_TOO_LONG', 'device_token');
  });

  test('INVALID_STRING', async () => {
    for (const reason of ['nul \u0000', 'lone \ud800'])
      await expectRefused({ device_token: newIosToken(), reason }, 'INVALID_STRING', 'reason');
  });
});

test.each([
  ['', 'MALFORMED_JSON'],
  ['{', 'MALFORMED_JSON'],
  ['[]', 'INVALID_BODY'],
])('a body %j', async (body, code) => {
  expectProblem(await deactivate(body), 400, code);
});

test('a refused request changes nothing', async () => {
  const token = newIosToken();
  const device = { device_token: token, platform: 'ios' };
  expectSuccess(await postJson(ingest(), tenant, '/v1/devices/register', device));
  await expectRefused({ device_token: token, reason: 5 }, 'INVALID_FIELD', 'reason');
  expect((await deviceRows(tenant.workspaceId)).map(row => row.status)).toEqual(['ACTIVE']);
});
