// The whole life of an SDK installation, over HTTP only: a device, a person, a widget of a journey,
// a campaign hidden by its cap, and pushes in every order.

import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fetchList, untilShown } from '../harness/active.ts';
import { JSON_TYPE } from '../harness/batch-client.ts';
import { createCampaign } from '../harness/campaign.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { deliveriesOf, outboundOf } from '../harness/push.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { rows } from '../harness/warehouse.ts';
import { queueWidget, widgetOutcomes } from '../harness/widget.ts';

const ingest = useSharedIngest();

test('a device, a complete widget, a campaign up to its cap, and pushes in every order', async () => {
  const tenant = await createTenant();
  const userId = `user-${randomUUID()}`;

  await untilShown(ingest(), tenant, []);

  await identify(tenant, userId);
  await post(tenant, '/v1/devices/register', {
    device_token: randomBytes(32).toString('hex').toUpperCase(),
    platform: 'ios',
    property_id: tenant.propertyId,
    contact_id: userId,
  });
  const devices = await sql('SELECT status, contact_id FROM devices WHERE workspace_id = $1', [
    tenant.workspaceId,
  ]);
  expect(devices).toEqual([{ status: 'ACTIVE', contact_id: userId }]);

  await widgetToItsEnd(tenant, userId);
  await campaignToItsCap(tenant, userId);
  await pushesInEveryOrder(tenant, userId);
});

async function identify({ workspaceId, writeKey }: Tenant, userId: string): Promise<void> {
  const now = new Date().toISOString();
  const event = {
    type: 'identify',
    messageId: randomUUID(),
    timestamp: now,
    anonymousId: 'device-1',
    sessionId: 'session-1',
    userId,
    traits: { plan: 'pro', orders: 12 },
  };
  const body = JSON.stringify({ writeKey, sentAt: now, batch: [event] });
  const answer = await send(`${ingest().url}/v1/batch`, { body, headers: JSON_TYPE });
  expect(answer.status).toBe(200);
  await eventually(async () => {
    const contacts = await sql('SELECT user_id, traits FROM contacts WHERE workspace_id = $1', [
      workspaceId,
    ]);
    expect(contacts).toEqual([{ user_id: userId, traits: { plan: 'pro', orders: 12 } }]);
  });
}

async function widgetToItsEnd(tenant: Tenant, userId: string): Promise<void> {
  const widget = await queueWidget(tenant, {
    userId,
    surfaces: ['bill'],
    consentPurpose: 'service',
  });
  const [shown] = await fetchList(ingest(), tenant, { userId, surface: 'bill' });
  expect(shown).toMatchObject({ journey_step_execution_id: widget.stepExecutionId });
  const path = `/v1/in-app/widgets/${widget.stepExecutionId}/ack`;
  for (const action of ['served', 'viewed', 'viewed', 'clicked', 'served', 'dismissed', 'clicked'])
    await post(tenant, path, { action });
  const [outcome] = await widgetOutcomes([widget]);
  expect(outcome).toMatchObject({ state: 'CLICKED', signals: [{ outcome: 'CLICKED' }] });
  expect(await fetchList(ingest(), tenant, { userId, surface: 'bill' })).toEqual([]);
}

async function campaignToItsCap(tenant: Tenant, userId: string): Promise<void> {
  const cap = 3;
  const campaignId = await createCampaign(tenant.workspaceId, {
    totalMax: cap,
    audience: { trait: 'orders', operator: 'gte', value: 10 },
    variants: [
      { id: 'a', weight: 1 },
      { id: 'b', weight: 1 },
    ],
  });
  const variants = new Set<unknown>();
  for (let impression = 1; impression <= cap; impression++) {
    const [campaign] = await eventually(async () => {
      const campaigns = await fetchList(ingest(), tenant, { userId, surface: 'home' });
      expect(campaigns).toMatchObject([{ campaign_id: campaignId }]);
      return campaigns;
    });
    variants.add(campaign!.variant_id);
    const report = { campaign_id: campaignId, event_type: 'impression', user_id: userId };
    const key = { idempotency_key: `${campaignId}-${impression}` };
    // Fetches and repeated reports do not count toward the cap; displays do.
    for (let time = 0; time < 2; time++)
      await post(tenant, '/v1/in_app/events', { ...report, ...key, platform: 'ios' });
    await eventually(async () => expect(await impressionsOf(tenant, campaignId)).toBe(impression));
  }
  expect(variants.size).toBe(1);
  expect(await fetchList(ingest(), tenant, { userId, surface: 'home' })).toEqual([]);
  await eventually(async () => {
    const funnel = await rows<Record<string, unknown>>(
      `SELECT variant_id, toUInt32(impressions) AS impressions, toUInt32(people_reached) AS people
       FROM in_app_campaign_funnel WHERE workspace_id = {workspaceId:UUID} AND campaign_id = {campaignId:String}`,
      { workspaceId: tenant.workspaceId, campaignId },
    );
    expect(funnel).toEqual([{ variant_id: [...variants][0], impressions: cap, people: 1 }]);
  });
}

async function pushesInEveryOrder(tenant: Tenant, userId: string): Promise<void> {
  const orders = permutations(['push.delivered', 'push.shown', 'push.clicked']);
  const messages = await Promise.all(
    orders.map(async order => {
      const messageId = randomUUID();
      for (const eventType of [...order, ...order.toReversed()])
        await post(tenant, '/v1/push/engagement', {
          event_type: eventType,
          platform: 'ios',
          property_id: tenant.propertyId,
          message_id: messageId,
          user_id: userId,
        });
      return messageId;
    }),
  );
  await eventually(async () => {
    const deliveries = await deliveriesOf(tenant.workspaceId);
    expect(deliveries.map(({ message_id, status }) => `${message_id} ${status}`)).toEqual(
      messages.map(id => `${id} clicked`).toSorted(),
    );
    const outbound = await outboundOf(tenant.workspaceId);
    expect(
      outbound.map(({ type, payload }) => `${String(payload.message_id)} ${type}`).toSorted(),
    ).toEqual(
      messages
        .flatMap(id => ['delivered', 'opened', 'clicked'].map(what => `${id} delivery.${what}`))
        .toSorted(),
    );
  });
}

async function post(tenant: Tenant, path: string, body: object): Promise<void> {
  const answer = await send(`${ingest().url}${path}`, {
    body: JSON.stringify(body),
    headers: { 'x-service-write-key': tenant.writeKey, ...JSON_TYPE },
  });
  expect(answer.text).toBe('{"status":"SUCCESS"}');
}

async function impressionsOf({ workspaceId }: Tenant, campaignId: string): Promise<number> {
  const [row] = await sql(
    'SELECT count(*)::int AS count FROM exposures WHERE workspace_id = $1 AND campaign_id = $2',
    [workspaceId, campaignId],
  );
  return Number(row!.count);
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map(rest => [item, ...rest]),
  );
}
