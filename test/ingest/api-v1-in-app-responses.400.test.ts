import { beforeAll, describe, expect, test } from 'vitest';
import { nestedArrays, nestedObject } from '../harness/batch.ts';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import {
  expectSuccess,
  type Fields,
  IN_APP_RESPONSES,
  postJson,
  responseOf,
  storedRows,
} from '../harness/in-app.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';
import { rejectedEvents } from '../harness/warehouse.ts';

// A single thread writes one log, so when a later response is readable, all earlier ones are too.
const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const respond = (body: Fields | string, of = tenant) =>
  postJson(ingest(), of, IN_APP_RESPONSES, body);

async function expectRefused(fields: Fields, code: string, field: string): Promise<void> {
  const answer = await respond(responseOf(fields));
  expectProblem(answer, 400, code);
  expect(answer.json().detail).toContain(field);
}

describe.concurrent('MISSING_FIELD', () => {
  test.for(['campaign_id', 'response_type', 'platform'])('%s', async field => {
    for (const value of [undefined, null, ''])
      await expectRefused({ [field]: value }, 'MISSING_FIELD', field);
  });

  test('payload', async () => {
    for (const payload of [undefined, null])
      await expectRefused({ payload }, 'MISSING_FIELD', 'payload');
  });

  test('payload.score of an nps', async () => {
    for (const payload of [{}, { score: null }, { rating: 9 }])
      await expectRefused({ payload }, 'MISSING_FIELD', 'payload.score');
  });

  test('an empty object', async () => {
    expectProblem(await respond({}), 400, 'MISSING_FIELD');
  });
});

describe.concurrent('INVALID_FIELD', () => {
  test.for([
    'campaign_id',
    'response_type',
    'platform',
    'user_id',
    'contact_id',
    'variant_id',
    'workspace_id',
    'property_id',
    'idempotency_key',
  ])('%s of another type', async field => {
    for (const value of [5, 0, true, {}, [], ['web']])
      await expectRefused({ [field]: value }, 'INVALID_FIELD', field);
  });

  test('payload that is not an object', async () => {
    for (const payload of ['', '{"score":9}', 9, true, [], [{ score: 9 }]])
      await expectRefused({ payload }, 'INVALID_FIELD', 'payload');
  });

  test.for(['NPS', 'survey', 'nps ', 'constructor', '__proto__'])(
    'response_type %s',
    async response_type => {
      const answer = await respond(responseOf({ response_type }));
      expectProblem(answer, 400, 'INVALID_FIELD');
      expect(answer.json().detail).toMatch(/nps, poll, quiz, rating, form, countdown/);
    },
  );

  test.for(['Web', 'windows', 'tv'])('platform %s', async platform => {
    const answer = await respond(responseOf({ platform }));
    expectProblem(answer, 400, 'INVALID_FIELD');
    expect(answer.json().detail).toMatch(/web, ios, android/);
  });

  test('a score that is not a number from 0 to 10', async () => {
    for (const score of ['9', '', true, [9], { value: 9 }, -1, -0.01, 10.01, 11, 1e300])
      await expectRefused({ payload: { score } }, 'INVALID_FIELD', 'payload.score');
    for (const score of ['1e400', '-1e400']) {
      const body = JSON.stringify(responseOf({ payload: { score: 7 } })).replace('7', score);
      expectProblem(await respond(body), 400, 'INVALID_FIELD');
    }
  });

  test.for([
    ['poll', 'option_id', 5],
    ['poll', 'option', {}],
    ['poll', 'option_ids', 'a'],
    ['poll', 'option_ids', ['a', 1]],
    ['quiz', 'answers', 'a'],
    ['quiz', 'answers', 3],
    ['quiz', 'score', '3'],
    ['quiz', 'passed', 'yes'],
    ['rating', 'rating', '4'],
    ['rating', 'score', []],
    ['form', 'fields', []],
    ['form', 'values', 'a=b'],
    ['countdown', 'completed', 1],
    ['countdown', 'action', ['shop']],
  ] as const)('%s with %s: %j', async ([response_type, key, value]) => {
    const payload = { [key]: value };
    await expectRefused({ response_type, payload }, 'INVALID_FIELD', `payload.${key}`);
  });
});

describe.concurrent('strings', () => {
  test.for(['campaign_id', 'user_id', 'contact_id', 'variant_id', 'idempotency_key'])(
    '%s is too long, has a NUL or a lone surrogate',
    async field => {
      await expectRefused({ [field]: 'é'.repeat(513) }, 'FIELD_TOO_LONG', field);
      for (const value of ['a\u0000b', 'a\ud800b'])
        await expectRefused({ [field]: value }, 'INVALID_STRING', field);
    },
  );
});

describe.concurrent('limits of the payload', () => {
  test.for([
    ['NESTING_TOO_DEEP', nestedObject(6)],
    ['NESTING_TOO_DEEP', nestedArrays(6)],
    ['KEY_TOO_LONG', `{"${'k'.repeat(257)}":1}`],
    ['VALUE_TOO_LARGE', `{"x":"${'v'.repeat(10_241)}"}`],
  ] as const)('%s', async ([code, payload]) => {
    const fields = responseOf({ response_type: 'form', payload: undefined });
    const body = `{"payload":${payload},${JSON.stringify(fields).slice(1)}`;
    const answer = await respond(body);
    expectProblem(answer, 400, code);
    expect(answer.json().detail).toContain('payload');
  });

  test('of the maximum size', async () => {
    const quiet = await liveTenant(ingest());
    const payloads = [
      nestedObject(5),
      nestedArrays(5),
      `{"${'é'.repeat(256)}":1}`,
      `{"x":"${'v'.repeat(10_240)}"}`,
    ];
    for (const payload of payloads) {
      const fields = responseOf({ response_type: 'form', payload: undefined });
      expectSuccess(
        await respond(`{"payload":${payload},${JSON.stringify(fields).slice(1)}`, quiet),
      );
    }
    const found = await storedRows('in_app_responses', quiet.workspaceId, payloads.length);
    expect(found.map(row => row.payload)).toEqual(expect.arrayContaining(payloads));
  });
});

describe.concurrent('bodies', () => {
  test.for([
    ['MALFORMED_JSON', ''],
    ['MALFORMED_JSON', '{"payload":{}'],
    ['MALFORMED_JSON', "{'payload':{}}"],
    ['INVALID_BODY', `[${JSON.stringify(responseOf())}]`],
    ['INVALID_BODY', '9'],
  ] as const)('%s: %s', async ([code, body]) => {
    expectProblem(await respond(body), 400, code);
  });
});

test('a rejected report is stored in full with its reason and does not count', async () => {
  const quiet = await liveTenant(ingest());
  const body =
    '{"campaign_id":"c","response_type":"nps", "platform":"web","payload":{"score":"9"}}';
  expectProblem(await respond(body, quiet), 400, 'INVALID_FIELD');
  expectSuccess(await respond(responseOf(), quiet));
  await storedRows('in_app_responses', quiet.workspaceId, 1);
  const [kept] = await rejectedEvents(quiet.workspaceId, 1);
  expect(kept).toMatchObject({ endpoint: IN_APP_RESPONSES, code: 'INVALID_FIELD', body });
});
