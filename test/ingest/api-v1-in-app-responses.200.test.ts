import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
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

// A single thread writes one log, so when a later response is readable, all earlier ones are too.
const ingest = useSharedIngest();

const respond = (tenant: Tenant, body: Fields | string, headers = {}) =>
  postJson(ingest(), tenant, IN_APP_RESPONSES, body, { headers });

/** When this response is stored, all earlier ones are too. */
async function sendLast(tenant: Tenant): Promise<void> {
  expectSuccess(await respond(tenant, responseOf({ campaign_id: 'last' })));
}

describe.concurrent('a response', () => {
  test('is stored with all its fields, and its payload as sent', async () => {
    const tenant = await liveTenant(ingest());
    const before = Date.now();
    const payload =
      '{ "score" : 7.50, "comment":"\\u00fcber \\ud83d\\ude80", "n":1E2,"list":[ 1,null ] }';
    const body = `{"campaign_id":"c-é","response_type":"nps","platform":"ios","payload": ${payload} ,
      "user_id":"u-1","contact_id":"contact-1","variant_id":"B","workspace_id":"${tenant.workspaceId}",
      "idempotency_key":"key-1","locale":"de"}`;
    const headers = { 'x-property-id': tenant.propertyId };
    expectSuccess(await respond(tenant, body, headers));
    const [row] = await storedRows('in_app_responses', tenant.workspaceId, 1);
    const { received_at, ...rest } = row!;
    expect(rest).toEqual({
      workspace_id: tenant.workspaceId,
      property_id: tenant.propertyId,
      sdk_key_id: tenant.keyId,
      campaign_id: 'c-é',
      response_type: 'nps',
      response_key: 'key-1',
      platform: 'ios',
      user_id: 'u-1',
      contact_id: 'contact-1',
      variant_id: 'B',
      payload,
      score: 7.5,
      extra: '{"locale":"de"}',
    });
    expect(Date.parse(String(received_at))).toBeGreaterThanOrEqual(before);
    expect(Date.parse(String(received_at))).toBeLessThanOrEqual(Date.now());
  });

  const PAYLOADS: readonly (readonly [string, string, number | null])[] = [
    ['nps', '{"score":0}', 0],
    ['nps', '{"score":10}', 10],
    ['nps', '{"score":-0.0}', 0],
    ['nps', '{"score":1e1,"reason":null}', 10],
    // ClickHouse's own JSON parser rejects these texts entirely.
    ['nps', '{"score":9,"big":1e400}', 9],
    ['nps', '{"score":9,"text":"\\ud800"}', 9],
    // The last of duplicate members counts, here as everywhere.
    ['nps', '{"score":11,"score":5}', 5],
    ['poll', '{}', null],
    ['poll', '{"option_id":"a"}', null],
    ['poll', '{"option":"Yes, please"}', null],
    ['poll', '{"option_ids":["a","b"],"option_id":null}', null],
    ['quiz', '{"answers":["a",2],"score":3,"passed":true}', 3],
    ['quiz', '{"answers":{"q1":"a"},"passed":false}', null],
    ['rating', '{"rating":4}', null],
    ['rating', '{"score":4.5,"rating":null}', 4.5],
    ['form', '{"fields":{"email":"a@example.com"}}', null],
    ['form', '{"values":{"email":"a@example.com"},"score":"high"}', null],
    ['countdown', '{"completed":true,"action":"shop"}', null],
    ['countdown', '{"anything":[{"else":[1]}]}', null],
  ];

  test.for(PAYLOADS)('%s %s', async ([type, payload, score]) => {
    const tenant = await liveTenant(ingest());
    const body = `{"payload":${payload},${JSON.stringify(responseOf({ response_type: type, payload: undefined })).slice(1)}`;
    expectSuccess(await respond(tenant, body));
    const [row] = await storedRows('in_app_responses', tenant.workspaceId, 1);
    expect(row).toMatchObject({ response_type: type, payload, score });
  });

  test.for(['web', 'ios', 'android'])('from %s', async platform => {
    const tenant = await liveTenant(ingest());
    expectSuccess(await respond(tenant, responseOf({ platform })));
    const [row] = await storedRows('in_app_responses', tenant.workspaceId, 1);
    expect(row?.platform).toBe(platform);
  });

  test('may leave optional fields null or empty', async () => {
    const tenant = await liveTenant(ingest());
    for (const empty of [null, ''])
      expectSuccess(
        await respond(
          tenant,
          responseOf({
            user_id: empty,
            contact_id: empty,
            variant_id: empty,
            workspace_id: empty,
            property_id: empty,
            idempotency_key: empty,
          }),
        ),
      );
    const [row] = await storedRows('in_app_responses', tenant.workspaceId, 2);
    expect(row).toMatchObject({ user_id: '', contact_id: '', variant_id: '', extra: '' });
  });
});

describe.concurrent('repeats', () => {
  test('with one idempotency_key count once, even if other fields differ', async () => {
    const tenant = await liveTenant(ingest());
    const idempotency_key = randomUUID();
    for (const score of [1, 2, 3])
      expectSuccess(await respond(tenant, responseOf({ idempotency_key, payload: { score } })));
    await sendLast(tenant);
    await storedRows('in_app_responses', tenant.workspaceId, 2);
  });

  test('of several people with one idempotency_key count once each', async () => {
    const tenant = await liveTenant(ingest());
    const people = [
      { user_id: 'A' },
      { user_id: 'B', contact_id: 'c-1' },
      { contact_id: 'c-1' },
      { contact_id: 'c-2' },
    ];
    // The last person is the second one again, after their contact ID changed.
    for (const person of [...people, ...people.toReversed(), { user_id: 'B', contact_id: 'c-3' }])
      expectSuccess(await respond(tenant, responseOf({ idempotency_key: 'same', ...person })));
    await sendLast(tenant);
    const found = await storedRows('in_app_responses', tenant.workspaceId, people.length + 1);
    expect(found.slice(0, -1).map(row => [row.user_id, row.contact_id])).toEqual(
      people.map(row => [row.user_id ?? '', row.contact_id ?? '']),
    );
  });

  test.for([{ user_id: 'u' }, { contact_id: 'c' }, { user_id: 'u', contact_id: 'c' }])(
    'of %o count once',
    person =>
      withinOneDay(async () => {
        const tenant = await liveTenant(ingest());
        for (let i = 0; i < 3; i++) expectSuccess(await respond(tenant, responseOf(person)));
        await sendLast(tenant);
        return () => storedRows('in_app_responses', tenant.workspaceId, 2);
      }),
  );

  test('of one person with different answers, campaigns, types, variants or keys count each', async () => {
    const tenant = await liveTenant(ingest());
    const others = [
      {},
      { payload: { score: 8 } },
      { campaign_id: 'campaign-2' },
      { response_type: 'rating' },
      { variant_id: 'B' },
      { idempotency_key: 'k' },
      { user_id: 'user-2' },
      { contact_id: 'contact-1' },
    ];
    for (const other of others)
      expectSuccess(await respond(tenant, responseOf({ user_id: 'user-1', ...other })));
    await storedRows('in_app_responses', tenant.workspaceId, others.length);
  });

  test('without a known person each count', async () => {
    const tenant = await liveTenant(ingest());
    for (let i = 0; i < 3; i++) expectSuccess(await respond(tenant, responseOf()));
    await storedRows('in_app_responses', tenant.workspaceId, 3);
  });

  test('in two workspaces count each', async () => {
    const tenants = await Promise.all([liveTenant(ingest()), liveTenant(ingest())]);
    for (const tenant of tenants)
      expectSuccess(await respond(tenant, responseOf({ user_id: 'u' })));
    for (const { workspaceId } of tenants) await storedRows('in_app_responses', workspaceId, 1);
  });
});

/**
 * Responses are deduplicated within a day of arrival, so a scenario that crosses midnight is
 * repeated.
 */
async function withinOneDay(scenario: () => Promise<() => Promise<unknown>>): Promise<void> {
  const day = () => new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const before = day();
  const check = await scenario();
  const again = day() === before ? check : await scenario();
  await again();
}
