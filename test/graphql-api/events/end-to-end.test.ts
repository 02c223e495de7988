// Events that SDKs send to ingest appear in the reports of the API.

import { describe, expect, test } from 'vitest';
import { batchText, eventOf, newMessageId } from '../../harness/batch.ts';
import { liveTenant, post, postEvents } from '../../harness/batch-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { IN_APP_EVENTS, IN_APP_RESPONSES, postJson } from '../../harness/in-app.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { postPush } from '../../harness/push.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { lastHours, reportOf } from '../harness/report-rows.ts';

const ingest = useSharedIngest();
const api = useSharedApi();

type Health = {
  readonly accepted: readonly number[];
  readonly rejected: readonly number[];
  readonly newestReceivedAt: string | null;
  readonly secondsSinceNewest: number | null;
  readonly caps: {
    readonly organizationMinute: Usage | null;
    readonly keys: readonly {
      sdkKey: { writeKey: string };
      minute: Usage | null;
      hour: Usage | null;
    }[];
  };
};
type Usage = { readonly cap: number; readonly used: number; readonly windowStart: string };

const HEALTH = `query ($range: ReportRange!) { ingestHealth(range: $range, bucket: MINUTE) {
  accepted rejected newestReceivedAt secondsSinceNewest caps {
    organizationMinute { cap used windowStart }
    keys { sdkKey { writeKey } minute { cap used windowStart } hour { cap used windowStart } } } } }`;
const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

describe.concurrent('from an SDK to a report', () => {
  test('all data of one person, each item once', async () => {
    const tenant = await liveTenant(ingest());
    const messageId = newMessageId();
    const event = eventOf(messageId, { userId: '"user-1"', properties: '{"total": 49.90}' });
    // Sent twice, like the retry of a client that received no response.
    for (let i = 0; i < 2; i++) await postEvents(ingest(), tenant.writeKey, [event]);
    const report = { campaign_id: 'campaign-1', user_id: 'user-1', platform: 'web' };
    for (const event_type of ['impression', 'clicked'])
      await postJson(ingest(), tenant, IN_APP_EVENTS, { ...report, event_type, variant_id: 'b' });
    await postJson(ingest(), tenant, IN_APP_RESPONSES, {
      ...report,
      response_type: 'nps',
      payload: { score: 9 },
    });
    for (const event_type of ['shown', 'clicked'])
      await postPush(ingest(), tenant, { ...report, event_type, message_id: 'push-1' });

    await eventually(async () => {
      const timeline = await reportOf<{ nodes: { kind: string }[] }>(
        api(),
        tenant,
        `query ($range: ReportRange!) { userTimeline(range: $range, first: 50, userId: "user-1") {
          nodes { kind ... on TimelineEvent { event { messageId properties } }
            ... on TimelineDelivery { status } } } }`,
        { range: lastHours(1) },
      );
      const kinds = timeline.nodes.map(({ kind }) => kind).filter(kind => kind !== 'CARD');
      expect(kinds.toSorted()).toEqual([
        'DELIVERY',
        'EVENT',
        'IN_APP_EVENT',
        'IN_APP_EVENT',
        'IN_APP_RESPONSE',
      ]);
      expect(timeline.nodes).toContainEqual({ kind: 'DELIVERY', status: 'clicked' });
      expect(timeline.nodes).toContainEqual({
        kind: 'EVENT',
        event: { messageId, properties: { total: 49.9 } },
      });
    });
    const funnels = await reportOf<unknown>(
      api(),
      tenant,
      `query ($range: ReportRange!) { campaignFunnel(range: $range, campaignId: "campaign-1") {
        variantId impressions clicks dismissals peopleReached peopleClicked clickRate } }`,
      { range: lastHours(1) },
    );
    expect(funnels).toEqual([
      {
        variantId: 'b',
        impressions: 1,
        clicks: 1,
        dismissals: 0,
        peopleReached: 1,
        peopleClicked: 1,
        clickRate: 1,
      },
    ]);
    const nps = `query ($range: ReportRange!) { npsByDay(range: $range, campaignId: "campaign-1") {
      responses promoters passives detractors averageScore nps } }`;
    expect(await reportOf(api(), tenant, nps, { range: lastHours(1) })).toEqual([
      { responses: 1, promoters: 1, passives: 0, detractors: 0, averageScore: 9, nps: 100 },
    ]);
    const push = `query ($range: ReportRange!) { pushFunnel(range: $range) {
      platform reached clicked dismissed clickRate } }`;
    expect(await reportOf(api(), tenant, push, { range: lastHours(1) })).toEqual([
      { platform: 'web', reached: 1, clicked: 1, dismissed: 0, clickRate: 1 },
    ]);
  });

  test('health: accepted and rejected events, their age, and the usage of caps', async () => {
    const tenant = await liveTenant(ingest(), { minuteCap: 500, hourCap: 1_000 });
    const before = await reportOf<Health>(api(), tenant, HEALTH, { range: lastHours(1) });
    expect([total(before.accepted), total(before.rejected)]).toEqual([0, 0]);
    expect([before.newestReceivedAt, before.secondsSinceNewest]).toEqual([null, null]);

    const events = Array.from({ length: 7 }, () => eventOf(newMessageId()));
    const broken = ['{"type":"track"}', '{"type":"nothing","messageId":"m"}'];
    await post(ingest(), batchText(tenant.writeKey, [...events, ...broken]));
    await eventually(async () => {
      const health = await reportOf<Health>(api(), tenant, HEALTH, { range: lastHours(1) });
      expect([total(health.accepted), total(health.rejected)]).toEqual([7, 2]);
      expect(Date.parse(health.newestReceivedAt!)).toBeGreaterThan(Date.now() - 120_000);
      expect(health.secondsSinceNewest).toBeLessThan(120);
      const { keys, organizationMinute } = health.caps;
      expect(organizationMinute).toBeNull();
      expect(keys).toHaveLength(1);
      expect(keys[0]!.sdkKey.writeKey).toBe(tenant.writeKey);
      expect(keys[0]!.hour).toMatchObject({ cap: 1_000 });
      expect(keys[0]!.hour!.used).toBeGreaterThanOrEqual(9);
      expect(keys[0]!.hour!.used).toBeLessThanOrEqual(1_000);
      expect(Date.parse(keys[0]!.hour!.windowStart) % 3_600_000).toBe(0);
    });
    const codes = await reportOf<{ code: string; samples: { body: string }[] }[]>(
      api(),
      tenant,
      `query ($range: ReportRange!) { rejectedEventCodes(range: $range) {
        code count samples { body message sdkKey { writeKey } } } }`,
      { range: lastHours(1) },
    );
    expect(codes.flatMap(({ samples }) => samples.map(({ body }) => body)).toSorted()).toEqual(
      broken.toSorted(),
    );
  });
});
