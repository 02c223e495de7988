import { beforeAll, describe, expect, test } from 'vitest';
import { nestedObject } from '../harness/batch.ts';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { deviceRows, newAndroidToken, newIosToken } from '../harness/device.ts';
import { type Fields, postJson } from '../harness/in-app.ts';
import { useIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useIngest({ threads: 1 });
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const OPTIONAL = ['property_id', 'contact_id', 'anonymous_id', 'app_version', 'user_agent'];

const register = (fields: Fields | string) =>
  postJson(ingest(), tenant, '/v1/devices/register', fields);
const device = (fields: Fields = {}) => ({
  device_token: newIosToken(),
  platform: 'ios',
  ...fields,
});

async function expectRefused(fields: Fields, code: string, field: string): Promise<void> {
  const answer = await register(fields);
  expectProblem(answer, 400, code);
  expect(answer.json().detail).toContain(field);
  const token = fields.device_token;
  if (typeof token === 'string' && token !== '') expect(answer.text).not.toContain(token);
}

describe.concurrent('MISSING_FIELD', () => {
  test.each(['device_token', 'platform'])('%s', async field => {
    for (const value of [undefined, null, ''])
      await expectRefused(device({ [field]: value }), 'MISSING_FIELD', field);
  });
});

describe.concurrent('INVALID_FIELD', () => {
  test.each(['device_token', 'platform', ...OPTIONAL])('%s of another type', async field => {
    for (const value of [5, true, {}, ['x']])
      await expectRefused(device({ [field]: value }), 'INVALID_FIELD', field);
  });

  test.each(['web', 'iOS', 'windows'])('platform %j', async platform => {
    await expectRefused(device({ platform }), 'INVALID_FIELD', 'platform');
  });

  test.each([
    ['too short', 'a'.repeat(62)],
    ['too long', 'a'.repeat(202)],
    ['of odd length', 'a'.repeat(65)],
    ['with other letters', 'g'.repeat(64)],
    ['in groups', '74 0f'.repeat(16)],
    ['in brackets', `<${'a'.repeat(64)}>`],
    ['with a line end', `${'a'.repeat(64)}\n`],
    ['of Android', newAndroidToken()],
  ])('an iOS token %s', async (_, token) => {
    await expectRefused(device({ device_token: token }), 'INVALID_FIELD', '64 to 200 hexadecimal');
  });

  test.each([
    ['too short', 'a'.repeat(15)],
    ['with a space', `${'a'.repeat(20)} `],
    ['with other characters', `${'a'.repeat(20)}/+=`],
    ['with other letters', 'ä'.repeat(20)],
    ['with a line end', `${'a'.repeat(20)}\n`],
  ])('an Android token %s', async (_, token) => {
    const fields = device({ device_token: token, platform: 'android' });
    await expectRefused(fields, 'INVALID_FIELD', '16 to 1,024');
  });
});

describe.concurrent('limits', () => {
  test('FIELD_TOO_LONG', async () => {
    for (const field of ['contact_id', 'anonymous_id', 'app_version'])
      await expectRefused(device({ [field]: 'x'.repeat(513) }), 'FIELD_TOO_LONG', field);
    const userAgent = 'x'.repeat(1_025);
    await expectRefused(device({ user_agent: userAgent }), 'FIELD_TOO_LONG', 'user_agent');
    const token = 'x'.repeat(1_025);
    await expectRefused(device({ device_token: token }), 'FIELD_TOO_LONG', 'device_token');
  });

  test('INVALID_STRING', async () => {
    for (const field of ['device_token', 'contact_id', 'user_agent'])
      for (const value of ['nul \u0000', 'lone \ud800'])
        await expectRefused(device({ [field]: value }), 'INVALID_STRING', field);
  });

  test('NESTING_TOO_DEEP, KEY_TOO_LONG and VALUE_TOO_LARGE, in unknown fields', async () => {
    const token = newIosToken();
    const start = `{"device_token":"${token}","platform":"ios",`;
    for (const [rest, code] of [
      [`"more":${nestedObject(6)}}`, 'NESTING_TOO_DEEP'],
      [`"more":{"${'k'.repeat(257)}":1}}`, 'KEY_TOO_LONG'],
      [`"more":"${'x'.repeat(10_241)}"}`, 'VALUE_TOO_LARGE'],
    ] as const)
      expectProblem(await register(start + rest), 400, code);
  });
});

describe.concurrent('a body', () => {
  test.each([
    ['', 'MALFORMED_JSON'],
    ['{"device_token":', 'MALFORMED_JSON'],
    ['[]', 'INVALID_BODY'],
    ['"token"', 'INVALID_BODY'],
  ])('%j', async (body, code) => {
    expectProblem(await register(body), 400, code);
  });
});

test('nothing refused is stored, and no token is in the log', async () => {
  const token = `${newIosToken()}zz`;
  await expectRefused(device({ device_token: token }), 'INVALID_FIELD', 'device_token');
  expect(ingest().logs()).not.toContain(token);
  expect(await deviceRows(tenant.workspaceId)).toEqual([]);
});
