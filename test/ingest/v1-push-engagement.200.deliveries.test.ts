// Which push reports are of one delivery, and what the funnel counts.

import { describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { deliveriesOf, type PushBody } from '../harness/push.ts';
import type { Tenant } from '../harness/tenant.ts';
import { rows } from '../harness/warehouse.ts';
import { pushReports, untilCards, untilDeliveries, untilOutbound } from './push-effects.ts';

const ingest = useSharedIngest();

const { report } = pushReports(ingest);

describe.concurrent('a delivery', () => {
  test('is one message to one person, who is identified by different kinds of IDs', async () => {
    const tenant = await liveTenant(ingest());
    const shown = { event_type: 'push.shown', message_id: 'message-1' };
    for (const person of [
      { contact_id: 'x' },
      { contact_id: 'x', user_id: 'y', anonymous_id: 'z' },
    ])
      await report(tenant, { ...shown, ...person });
    // Outbound events follow the order of arrival, which is not defined across ingest threads. In
    // this test, the report that links contact x to user y arrives before any report on y alone.
    await untilOutbound(tenant, 1);
    for (const person of [
      { user_id: 'x' },
      { user_id: 'x', anonymous_id: 'z' },
      { anonymous_id: 'x' },
      {},
      { contact_id: 'y' },
    ])
      await report(tenant, { ...shown, ...person });
    await report(tenant, { ...shown, message_id: 'message-2', contact_id: 'x' });
    // The first message has deliveries to y, x, device x and an unknown person; the second to
    // contact x. Reports and the links between them become visible one after the other, so the
    // first five rows may be others.
    const found = await eventually(async () => {
      const deliveries = await deliveriesOf(tenant.workspaceId);
      expect(deliveries.map(row => `${row.message_id} of ${row.user_id}`).toSorted()).toEqual([
        'message-1 of ',
        'message-1 of ',
        'message-1 of x',
        'message-1 of y',
        'message-2 of x',
      ]);
      return deliveries;
    });
    expect(new Set(found.map(row => row.delivery_id)).size).toBe(5);
    await untilOutbound(tenant, 5);
  });

  test('of another tenant with the same IDs is different', async () => {
    const tenants = [await liveTenant(ingest()), await liveTenant(ingest())];
    for (const tenant of tenants)
      await report(tenant, { event_type: 'push.shown', message_id: 'm', contact_id: 'c' });
    const ids: string[] = [];
    for (const tenant of tenants) {
      ids.push((await untilDeliveries(tenant, 1))[0]!.delivery_id);
      await untilOutbound(tenant, 1);
    }
    expect(new Set(ids).size).toBe(2);
  });

  test('without a message_id is created for each report, with its own card and outbound event', async () => {
    const tenant = await liveTenant(ingest());
    const body = { event_type: 'push.delivered', message_id: '', contact_id: 'contact-1' };
    for (let i = 0; i < 3; i++) await report(tenant, body);
    const found = await untilDeliveries(tenant, 3);
    const cards = await untilCards(tenant, 3);
    const outbound = await untilOutbound(tenant, 3);
    const ids = found.map(row => row.delivery_id).sort();
    expect(new Set(ids).size).toBe(3);
    expect(cards.map(row => row.delivery_id).sort()).toEqual(ids);
    expect(outbound.map(({ payload }) => String(payload.delivery_id)).sort()).toEqual(ids);
  });
});

test('push_funnel counts pushes by platform and campaign', async () => {
  const tenant = await liveTenant(ingest());
  const sent = { platform: 'web', campaign_id: 'a', contact_id: 'contact-1' };
  const furthest = ['clicked', 'clicked', 'push.shown', 'dismissed', 'push.shown', 'push.shown'];
  await reach(tenant, sent, furthest);
  await reach(tenant, { ...sent, platform: 'ios' }, ['dismissed', 'clicked', 'clicked']);
  await reach(tenant, { ...sent, campaign_id: 'b' }, ['push.delivered']);
  await report(tenant, { event_type: 'push.subscribed', campaign_id: 'a' });
  await untilDeliveries(tenant, 10);
  await untilCards(tenant, 20);
  const found = await rows<Record<string, string | number>>(
    `SELECT platform, campaign_id, sum(f.reached) AS reached, sum(f.clicked) AS clicked,
            sum(f.dismissed) AS dismissed, round(sum(f.click_rate * f.reached) / sum(f.reached), 3) AS rate
     FROM push_funnel AS f WHERE workspace_id = {workspaceId:UUID}
     GROUP BY platform, campaign_id ORDER BY campaign_id, platform`,
    { workspaceId: tenant.workspaceId },
  );
  const numbers = found.map(({ reached, clicked, dismissed, rate, ...rest }) => {
    return { ...rest, counts: [reached, clicked, dismissed, rate].map(Number) };
  });
  expect(numbers).toEqual([
    { platform: 'ios', campaign_id: 'a', counts: [3, 2, 1, 0.667] },
    { platform: 'web', campaign_id: 'a', counts: [6, 2, 1, 0.333] },
    { platform: 'web', campaign_id: 'b', counts: [1, 0, 0, 0] },
  ]);
});

/** Creates one delivery per status in `furthest`, with reports up to that status. */
async function reach(tenant: Tenant, sent: PushBody, furthest: readonly string[]): Promise<void> {
  for (const [number, event_type] of furthest.entries()) {
    const ids = {
      ...sent,
      message_id: `${String(sent.platform)}-${String(sent.campaign_id)}-${number}`,
    };
    await report(tenant, { ...ids, event_type: 'push.delivered' });
    if (event_type !== 'push.delivered') await report(tenant, { ...ids, event_type });
  }
}
