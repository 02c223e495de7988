import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import {
  expectSuccess,
  type Fields,
  IN_APP_EVENTS,
  postJson,
  reportOf,
  storedExposures,
  storedRows,
} from '../harness/in-app.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

// A single thread writes one log, so when a later report is readable, all earlier ones are too.
const ingest = useSharedIngest();

const report = (tenant: Tenant, fields: Fields | string, headers = {}) =>
  postJson(ingest(), tenant, IN_APP_EVENTS, fields, { headers });

/** When this report is stored, all earlier ones are too. */
async function sendLast(tenant: Tenant): Promise<void> {
  expectSuccess(await report(tenant, reportOf({ campaign_id: 'last', user_id: 'last' })));
}

describe.concurrent('a report', () => {
  test('is stored with all its fields', async () => {
    const tenant = await liveTenant(ingest());
    const before = Date.now();
    const body = `{"campaign_id":"c-é","event_type":"clicked","user_id":"u-1","anonymous_id":"a-1",
      "platform":"smart tv","workspace_id":"${tenant.workspaceId.toUpperCase()}",
      "idempotency_key":"key-1","variant_id":"B","journey_step_execution_id":"step-execution-1",
      "step_id":"step-1","button": {"id":1.50} ,"note":"\\u00e9", "property_id":""}`;
    const headers = { 'x-property-id': tenant.propertyId };
    expectSuccess(await report(tenant, body, headers));
    const [row] = await storedRows('in_app_events', tenant.workspaceId, 1);
    const { received_at, ...rest } = row!;
    expect(rest).toEqual({
      workspace_id: tenant.workspaceId,
      property_id: tenant.propertyId,
      sdk_key_id: tenant.keyId,
      campaign_id: 'c-é',
      event_type: 'clicked',
      event_key: 'key-1',
      user_id: 'u-1',
      anonymous_id: 'a-1',
      platform: 'smart tv',
      variant_id: 'B',
      step_execution_id: 'step-execution-1',
      step_id: 'step-1',
      extra: '{"button": {"id":1.50},"note":"\\u00e9"}',
    });
    expect(Date.parse(String(received_at))).toBeGreaterThanOrEqual(before);
    expect(Date.parse(String(received_at))).toBeLessThanOrEqual(Date.now());
    const [exposure] = await storedExposures(tenant.workspaceId, 1);
    const occurredAt = new Date(String(received_at));
    expect(exposure).toEqual({
      user_id: 'u-1',
      campaign_id: 'c-é',
      event_type: 'clicked',
      occurred_at: occurredAt,
    });
  });

  test('requires only a campaign, a type and a person', async () => {
    const tenant = await liveTenant(ingest());
    for (const event_type of ['impression', 'clicked', 'dismissed'])
      expectSuccess(await report(tenant, { campaign_id: 'c', event_type, user_id: 'u' }));
    const anonymous = { campaign_id: 'c', event_type: 'impression', anonymous_id: 'a' };
    expectSuccess(await report(tenant, anonymous));
    const found = await storedRows('in_app_events', tenant.workspaceId, 4);
    const zeros = '00000000-0000-0000-0000-000000000000';
    for (const row of found)
      expect(row).toMatchObject({ property_id: zeros, platform: '', variant_id: '', extra: '' });
    expect(found.map(row => row.event_type)).toEqual([
      'impression',
      'clicked',
      'dismissed',
      'impression',
    ]);
    expect(new Set(found.map(row => row.event_key)).size).toBe(4);
  });

  test('of an anonymous person does not count toward caps', async () => {
    const tenant = await liveTenant(ingest());
    expectSuccess(await report(tenant, reportOf({ user_id: undefined, anonymous_id: 'a' })));
    expectSuccess(await report(tenant, reportOf({ user_id: '', anonymous_id: 'a' })));
    expectSuccess(await report(tenant, reportOf({ user_id: null, anonymous_id: 'a' })));
    await sendLast(tenant);
    await storedRows('in_app_events', tenant.workspaceId, 4);
    const exposures = await storedExposures(tenant.workspaceId, 1);
    expect(exposures[0]?.user_id).toBe('last');
  });

  test('may leave optional fields null or empty', async () => {
    const tenant = await liveTenant(ingest());
    for (const empty of [null, ''])
      expectSuccess(
        await report(
          tenant,
          reportOf({
            anonymous_id: empty,
            platform: empty,
            workspace_id: empty,
            property_id: empty,
            idempotency_key: empty,
            variant_id: empty,
            journey_step_execution_id: empty,
            step_id: empty,
          }),
        ),
      );
    const found = await storedRows('in_app_events', tenant.workspaceId, 2);
    expect(found[0]?.event_key).not.toBe(found[1]?.event_key);
    await storedExposures(tenant.workspaceId, 2);
  });

  test('uses the property in its body, also in upper case', async () => {
    const tenant = await liveTenant(ingest());
    const property_id = tenant.propertyId.toUpperCase();
    expectSuccess(await report(tenant, reportOf({ property_id })));
    const [row] = await storedRows('in_app_events', tenant.workspaceId, 1);
    expect(row).toMatchObject({ property_id: tenant.propertyId, extra: '' });
  });

  test.for([
    ['other scripts', 'кампания-🎉'],
    ['512 characters outside the basic plane', '🎉'.repeat(512)],
    ['quotes and line breaks', 'a"b\\c\nd\te'],
    ['SQL', "' OR 1=1 --"],
  ] as const)('has ids of %s', async ([, id]) => {
    const tenant = await liveTenant(ingest());
    expectSuccess(await report(tenant, reportOf({ campaign_id: id, user_id: id })));
    const [row] = await storedRows('in_app_events', tenant.workspaceId, 1);
    expect(row).toMatchObject({ campaign_id: id, user_id: id });
    const [exposure] = await storedExposures(tenant.workspaceId, 1);
    expect(exposure).toMatchObject({ campaign_id: id, user_id: id });
  });

  test('uses the last of duplicate members', async () => {
    const tenant = await liveTenant(ingest());
    const body = '{"campaign_id":"c","event_type":"x","event_type":"clicked","user_id":"u"}';
    expectSuccess(await report(tenant, body));
    const [row] = await storedRows('in_app_events', tenant.workspaceId, 1);
    expect(row).toMatchObject({ event_type: 'clicked', extra: '' });
  });
});

describe.concurrent('idempotency_key', () => {
  test('repeats count as one report and one exposure', async () => {
    const tenant = await liveTenant(ingest());
    const idempotency_key = randomUUID();
    for (const platform of ['web', 'ios', 'android'])
      expectSuccess(await report(tenant, reportOf({ idempotency_key, platform })));
    await sendLast(tenant);
    const found = await storedRows('in_app_events', tenant.workspaceId, 2);
    expect(found[0]).toMatchObject({ event_key: idempotency_key });
    await storedExposures(tenant.workspaceId, 2);
  });

  test('thirty concurrent reports count once', async () => {
    const tenant = await liveTenant(ingest());
    const body = reportOf({ idempotency_key: randomUUID() });
    const answers = await Promise.all(Array.from({ length: 30 }, () => report(tenant, body)));
    for (const answer of answers) expectSuccess(answer);
    await sendLast(tenant);
    await storedRows('in_app_events', tenant.workspaceId, 2);
    await storedExposures(tenant.workspaceId, 2);
  });

  test('is scoped to one campaign and type', async () => {
    const tenant = await liveTenant(ingest());
    const idempotency_key = randomUUID();
    for (const fields of [{}, { event_type: 'clicked' }, { campaign_id: 'campaign-2' }])
      expectSuccess(await report(tenant, reportOf({ idempotency_key, ...fields })));
    await storedRows('in_app_events', tenant.workspaceId, 3);
    await storedExposures(tenant.workspaceId, 3);
  });

  test('is scoped to one person, for analysts and for caps', async () => {
    const tenant = await liveTenant(ingest());
    const people = [
      { user_id: 'A' },
      { user_id: 'B', anonymous_id: 'x' },
      { user_id: undefined, anonymous_id: 'x' },
      { user_id: undefined, anonymous_id: 'y' },
    ];
    for (const person of [...people, ...people.toReversed()])
      expectSuccess(await report(tenant, reportOf({ idempotency_key: 'imp-1', ...person })));
    // The same person on another device.
    const repeat = { idempotency_key: 'imp-1', user_id: 'B', anonymous_id: 'y' };
    expectSuccess(await report(tenant, reportOf(repeat)));
    await sendLast(tenant);
    // Another thread may insert a repeat before the first report, which later replaces it.
    await eventually(async () => {
      const found = await storedRows('in_app_events', tenant.workspaceId, people.length + 1);
      // Reports that arrive in the same millisecond have no defined order.
      const stored = found.filter(row => row.event_key === 'imp-1');
      expect(
        stored.map(row => `${String(row.user_id)} on ${String(row.anonymous_id)}`).toSorted(),
      ).toEqual(people.map(row => `${row.user_id ?? ''} on ${row.anonymous_id ?? ''}`).toSorted());
    });
    const exposures = await storedExposures(tenant.workspaceId, 3);
    expect(exposures.map(row => row.user_id).toSorted()).toEqual(['A', 'B', 'last']);
  });

  test('is scoped to one workspace', async () => {
    const tenants = await Promise.all([liveTenant(ingest()), liveTenant(ingest())]);
    const body = reportOf({ idempotency_key: 'shared' });
    for (const tenant of tenants) expectSuccess(await report(tenant, body));
    for (const { workspaceId } of tenants) {
      await storedRows('in_app_events', workspaceId, 1);
      await storedExposures(workspaceId, 1);
    }
  });

  test('is optional: without it, each report counts', async () => {
    const tenant = await liveTenant(ingest());
    for (let i = 0; i < 3; i++) expectSuccess(await report(tenant, reportOf()));
    await storedRows('in_app_events', tenant.workspaceId, 3);
    await storedExposures(tenant.workspaceId, 3);
  });
});
