import { describe, expect, test } from 'vitest';
import { activeCampaigns } from '../../ingest/accept/active-campaign.contract.ts';
import { fetchActive, fetchList, untilShown } from '../harness/active.ts';
import { JSON_TYPE, liveTenant } from '../harness/batch-client.ts';
import { createCampaign, createContact, expose, setWorkspaceCaps } from '../harness/campaign.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { sql, type Tenant } from '../harness/tenant.ts';
import { queueWidget } from '../harness/widget.ts';

const ingest = useSharedIngest();

/** Step execution IDs of widgets and IDs of campaigns, in order. */
async function shownTo(tenant: Tenant, userId: string, surface?: string): Promise<unknown[]> {
  const question = surface === undefined ? { userId } : { userId, surface };
  const list = await fetchList(ingest(), tenant, question);
  return list.map(shown => shown.journey_step_execution_id ?? shown.campaign_id);
}

async function post(tenant: Tenant, path: string, body: unknown): Promise<void> {
  const answer = await send(`${ingest().url}${path}`, {
    headers: { ...JSON_TYPE, 'x-service-write-key': tenant.writeKey },
    body: JSON.stringify(body),
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
}

const ack = (tenant: Tenant, stepExecutionId: string, action: string) =>
  post(tenant, `/v1/in-app/widgets/${stepExecutionId}/ack`, { action });

describe.concurrent('a widget that a journey queued', () => {
  test('is shown to its person with the fields of the contract', async () => {
    const tenant = await liveTenant(ingest());
    const expiresAt = new Date(Date.now() + 3_600_000);
    const widget = await queueWidget(tenant, {
      name: 'Rate us',
      type: 'nps',
      surfaces: ['home'],
      content: { question: 'How likely?' },
      priority: 2,
      variantId: 'b',
      consentPurpose: 'service',
      expiresAt,
    });
    const answer = await fetchActive(ingest(), tenant, { userId: widget.userId });
    expect(activeCampaigns.parse(answer.json())).toEqual(answer.json());
    expect(answer.json()).toEqual([
      {
        campaign_id: widget.campaignId,
        name: 'Rate us',
        type: 'nps',
        surfaces: ['home'],
        content: { question: 'How likely?' },
        priority: 2,
        variant_id: 'b',
        expires_at: expiresAt.toISOString(),
        journey_step_execution_id: widget.stepExecutionId,
      },
    ]);
    expect(await shownTo(tenant, 'another')).toEqual([]);
    expect((await fetchActive(ingest(), tenant)).json()).toEqual([]);
    const other = await liveTenant(ingest());
    expect(await shownTo(other, widget.userId)).toEqual([]);
  });

  test('may have no expiry, as null or omitted', async () => {
    const tenant = await liveTenant(ingest());
    const userId = 'user-1';
    const widgets = [
      await queueWidget(tenant, { userId, consentPurpose: 'service' }),
      await queueWidget(tenant, { userId, consentPurpose: 'service' }),
    ];
    await sql("UPDATE widget_step_executions SET expires_at = 'infinity' WHERE id = $1", [
      widgets[1]!.stepExecutionId,
    ]);
    const list = await fetchList(ingest(), tenant, { userId });
    expect(list.map(shown => [shown.journey_step_execution_id, shown.expires_at])).toEqual(
      widgets.map(({ stepExecutionId }) => [stepExecutionId, null]),
    );
  });

  test('is sorted among campaigns by priority and age', async () => {
    const tenant = await liveTenant(ingest());
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const userId = 'user-1';
    const old = await createCampaign(tenant.workspaceId, { createdAt: minutesAgo(9) });
    const high = await createCampaign(tenant.workspaceId, { priority: 2 });
    await untilShown(ingest(), tenant, [high, old], { userId });
    const queue = async (priority: number, queuedAt: Date) => {
      const options = { userId, priority, queuedAt, consentPurpose: 'service' };
      return (await queueWidget(tenant, options)).stepExecutionId;
    };
    const younger = await queue(0, minutesAgo(5));
    const older = await queue(0, minutesAgo(15));
    const between = await queue(1, minutesAgo(1));
    const first = await queue(3, minutesAgo(1));
    expect(await shownTo(tenant, userId)).toEqual([first, high, between, older, old, younger]);
  });

  test('is subject to the gates of surface, consent and expiry', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const { userId, contactId } = await createContact(workspaceId, {
      consents: { marketing: 'GRANTED', service: 'DENIED' },
    });
    const common = { userId, consentPurpose: 'marketing' };
    const hour = 3_600_000;
    const { stepExecutionId: scoped } = await queueWidget(tenant, {
      ...common,
      surfaces: ['bill'],
      priority: 1,
    });
    const { stepExecutionId: open } = await queueWidget(tenant, {
      ...common,
      expiresAt: new Date(Date.now() + hour),
    });
    await queueWidget(tenant, { ...common, expiresAt: new Date(Date.now() - 1_000) });
    await queueWidget(tenant, { ...common, consentPurpose: 'service' });
    await queueWidget(tenant, { ...common, consentPurpose: 'research' });
    expect(await shownTo(tenant, userId)).toEqual([scoped, open]);
    expect(await shownTo(tenant, contactId)).toEqual([]);
    expect(await shownTo(tenant, userId, 'bill')).toEqual([scoped, open]);
    expect(await shownTo(tenant, userId, 'unheard_of')).toEqual([open]);
  });

  test('is subject to the caps of the workspace unless it is exempt', async () => {
    const tenant = await liveTenant(ingest());
    const common = { userId: 'user-1', consentPurpose: 'service' };
    const { stepExecutionId: bound } = await queueWidget(tenant, common);
    const { stepExecutionId: exempt } = await queueWidget(tenant, { ...common, isCapExempt: true });
    await setWorkspaceCaps(tenant.workspaceId, { dailyMax: 1 });
    expect(await shownTo(tenant, 'user-1')).toEqual([bound, exempt]);
    await expose(tenant.workspaceId, 'user-1', 'some campaign');
    expect(await shownTo(tenant, 'user-1')).toEqual([exempt]);
  });

  test('stays until it is clicked or dismissed', async () => {
    const tenant = await liveTenant(ingest());
    for (const end of ['clicked', 'dismissed']) {
      const widget = await queueWidget(tenant, { consentPurpose: 'service' });
      const { stepExecutionId, userId } = widget;
      for (const action of ['served', 'viewed']) {
        await ack(tenant, stepExecutionId, action);
        expect(await shownTo(tenant, userId)).toEqual([stepExecutionId]);
      }
      await ack(tenant, stepExecutionId, end);
      expect(await shownTo(tenant, userId)).toEqual([]);
    }
  });
});

describe.concurrent('reports of an SDK', () => {
  test('impressions hide a campaign at its cap, fetches do not', async () => {
    const tenant = await liveTenant(ingest());
    const userId = 'user-1';
    const id = await createCampaign(tenant.workspaceId, { totalMax: 2 });
    await untilShown(ingest(), tenant, [id], { userId });
    const report = (key: string) =>
      post(tenant, '/v1/in_app/events', {
        campaign_id: id,
        event_type: 'impression',
        user_id: userId,
        platform: 'web',
        idempotency_key: key,
      });
    // A repeated report is not a second impression.
    for (let copy = 0; copy < 3; copy++) await report('first');
    await untilReported(tenant, userId, 1);
    expect(await shownTo(tenant, userId)).toEqual([id]);
    await report('second');
    await eventually(async () => expect(await shownTo(tenant, userId)).toEqual([]));
    expect(await shownTo(tenant, 'another')).toEqual([id]);
  });

  test('a dismissal ends a campaign', async () => {
    const tenant = await liveTenant(ingest());
    const userId = 'user-1';
    const id = await createCampaign(tenant.workspaceId);
    await untilShown(ingest(), tenant, [id], { userId });
    await post(tenant, '/v1/in_app/events', {
      campaign_id: id,
      event_type: 'dismissed',
      user_id: userId,
    });
    await eventually(async () => expect(await shownTo(tenant, userId)).toEqual([]));
  });

  test('a widget that was viewed counts for the workspace', async () => {
    const tenant = await liveTenant(ingest());
    const userId = 'user-1';
    const campaign = await createCampaign(tenant.workspaceId);
    await untilShown(ingest(), tenant, [campaign], { userId });
    await setWorkspaceCaps(tenant.workspaceId, { dailyMax: 1 });
    const widget = await queueWidget(tenant, { userId, consentPurpose: 'service', priority: 1 });
    await ack(tenant, widget.stepExecutionId, 'served');
    expect(await shownTo(tenant, userId)).toEqual([widget.stepExecutionId, campaign]);
    await ack(tenant, widget.stepExecutionId, 'viewed');
    await eventually(async () => expect(await shownTo(tenant, userId)).toEqual([]));
  });
});

async function untilReported(tenant: Tenant, userId: string, count: number): Promise<void> {
  await eventually(async () => {
    const rows = await sql('SELECT FROM exposures WHERE workspace_id = $1 AND user_id = $2', [
      tenant.workspaceId,
      userId,
    ]);
    expect(rows).toHaveLength(count);
  });
}
