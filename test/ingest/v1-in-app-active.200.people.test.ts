import { describe, expect, test } from 'vitest';
import { fetchIds, untilShown } from '../harness/active.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { createCampaign, createContact, expose, setWorkspaceCaps } from '../harness/campaign.ts';
import { eventually } from '../harness/eventually.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { sql, type Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();

const isPlan = (plan: string) => ({ trait: 'plan', operator: 'eq', value: plan });

/** Creates a tenant with a campaign for the contacts of each plan. */
async function tenantWithPlans(): Promise<{ tenant: Tenant; pro: string; free: string }> {
  const tenant = await liveTenant(ingest());
  const { workspaceId } = tenant;
  const pro = await createCampaign(workspaceId, { audience: isPlan('pro') });
  const free = await createCampaign(workspaceId, { audience: isPlan('free') });
  const none = { trait: 'plan', operator: 'exists', value: false };
  const ofNoPlan = await createCampaign(workspaceId, { audience: none });
  await untilShown(ingest(), tenant, [ofNoPlan], { userId: 'nobody' });
  return { tenant, pro, free };
}

describe.concurrent('the person', () => {
  test('X-Contact-ID is our ID of a contact, in upper or lower case, or the application’s', async () => {
    const { tenant, pro } = await tenantWithPlans();
    const contact = await createContact(tenant.workspaceId, { traits: { plan: 'pro' } });
    for (const contactId of [contact.contactId, contact.contactId.toUpperCase(), contact.userId])
      expect(await fetchIds(ingest(), tenant, { contactId })).toEqual([pro]);
  });

  test('X-User-ID is the application’s id and no other', async () => {
    const { tenant, pro } = await tenantWithPlans();
    const contact = await createContact(tenant.workspaceId, { traits: { plan: 'pro' } });
    expect(await fetchIds(ingest(), tenant, { userId: contact.userId })).toEqual([pro]);
    expect(await fetchIds(ingest(), tenant, { userId: contact.contactId })).not.toContain(pro);
  });

  test('an application may use UUIDs, and any characters', async () => {
    const { tenant, pro } = await tenantWithPlans();
    const { workspaceId } = tenant;
    const uuid = '0d9be1c4-3f2e-4c4c-8a4b-0a1b2c3d4e5f';
    for (const userId of [uuid, 'größe@example.org', '1-日本-1', `'"\\; --`, 'a'.repeat(512)]) {
      await createContact(workspaceId, { userId, traits: { plan: 'pro' } });
      const sent = Buffer.from(userId).toString('latin1');
      expect([userId, await fetchIds(ingest(), tenant, { contactId: sent })]).toEqual([
        userId,
        [pro],
      ]);
      expect(await fetchIds(ingest(), tenant, { userId: sent })).toEqual([pro]);
    }
  });

  test('with both headers, a known contact has precedence over the user', async () => {
    const { tenant, pro, free } = await tenantWithPlans();
    const { contactId } = await createContact(tenant.workspaceId, { traits: { plan: 'pro' } });
    const { userId } = await createContact(tenant.workspaceId, { traits: { plan: 'free' } });
    expect(await fetchIds(ingest(), tenant, { contactId, userId })).toEqual([pro]);
    expect(await fetchIds(ingest(), tenant, { contactId: 'unknown', userId })).toEqual([free]);
  });

  test('a contact of another workspace is unknown', async () => {
    const { tenant, pro } = await tenantWithPlans();
    const other = await liveTenant(ingest());
    const contact = await createContact(other.workspaceId, { traits: { plan: 'pro' } });
    for (const question of [{ contactId: contact.contactId }, { userId: contact.userId }])
      expect(await fetchIds(ingest(), tenant, question)).not.toContain(pro);
  });

  test('unknown people have no traits and no consents, but their caps count', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const capped = await createCampaign(workspaceId, { totalMax: 1 });
    await createCampaign(workspaceId, { consentPurpose: 'research' });
    await createCampaign(workspaceId, { audience: isPlan('pro') });
    for (const question of [
      { userId: 'stranger' },
      { contactId: 'stranger' },
      { contactId: 'unknown', userId: 'stranger' },
    ])
      await untilShown(ingest(), tenant, [capped], question);
    await expose(workspaceId, 'stranger', capped);
    for (const question of [
      { userId: 'stranger' },
      { contactId: 'stranger' },
      { contactId: 'unknown', userId: 'stranger' },
    ])
      expect(await fetchIds(ingest(), tenant, question)).toEqual([]);
    expect(await fetchIds(ingest(), tenant, { userId: 'another' })).toEqual([capped]);
  });

  test('concurrent requests of many people get their own campaigns', async () => {
    const { tenant, pro, free } = await tenantWithPlans();
    const plans = Array.from({ length: 60 }, (_, number) => (number % 3 === 0 ? 'pro' : 'free'));
    const people = await Promise.all(
      plans.map(async plan => {
        return { plan, ...(await createContact(tenant.workspaceId, { traits: { plan } })) };
      }),
    );
    await Promise.all(
      [...people, ...people].map(async ({ plan, userId, contactId }, number) => {
        const question = number % 2 === 0 ? { userId } : { contactId };
        const expected = plan === 'pro' ? [pro] : [free];
        expect(await fetchIds(ingest(), tenant, question)).toEqual(expected);
      }),
    );
  });
});

describe.concurrent('the data of a person', () => {
  test('applies immediately: traits, consents, suppression, exposures', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const { userId, contactId } = await createContact(workspaceId);
    const id = await createCampaign(workspaceId, {
      consentPurpose: 'marketing',
      audience: {
        and: [
          { trait: 'address.city', operator: 'in', value: ['Pune', 'Goa'] },
          { not: { trait: 'orders', operator: 'lt', value: 3 } },
        ],
      },
    });
    const marker = await createCampaign(workspaceId);
    await untilShown(ingest(), tenant, [marker], { userId });
    const shown = () => fetchIds(ingest(), tenant, { userId });
    const consent = (status: string) =>
      sql(
        `INSERT INTO consents (contact_id, purpose, workspace_id, status)
         VALUES ($1, 'marketing', $2, $3) ON CONFLICT (contact_id, purpose)
         DO UPDATE SET status = excluded.status`,
        [contactId, workspaceId, status],
      );
    const change = (assignment: string) =>
      sql(`UPDATE contacts SET ${assignment} WHERE id = $1`, [contactId]);

    await consent('GRANTED');
    expect(await shown()).toEqual([marker]);
    await change(`traits = '{"address": {"city": "Pune"}, "orders": 3}'`);
    expect(await shown()).toEqual([id, marker]);
    await consent('DENIED');
    expect(await shown()).toEqual([marker]);
    await consent('GRANTED');
    expect(await shown()).toEqual([id, marker]);
    await change('suppressed_at = now()');
    expect(await shown()).toEqual([marker]);
    await change('suppressed_at = NULL');
    expect(await shown()).toEqual([id, marker]);
    await expose(workspaceId, userId, id, 'dismissed');
    expect(await shown()).toEqual([marker]);
  });

  test('consents: without consent, no promotional campaign is shown; if denied, none for the purpose', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const byPurpose = new Map<string, string>();
    for (const consentPurpose of [
      'marketing',
      'research',
      'of_our_own',
      'service',
      'transactional',
    ])
      byPurpose.set(consentPurpose, await createCampaign(workspaceId, { consentPurpose }));
    const shownTo = async (
      consents: Record<string, 'GRANTED' | 'DENIED'>,
      isSuppressed = false,
    ) => {
      const { userId } = await createContact(workspaceId, { consents, isSuppressed });
      const shown = await fetchIds(ingest(), tenant, { userId });
      return [...byPurpose].filter(([, id]) => shown.includes(id)).map(([purpose]) => purpose);
    };
    const everything = {
      marketing: 'GRANTED',
      research: 'GRANTED',
      of_our_own: 'GRANTED',
    } as const;
    await eventually(async () => expect(await shownTo(everything)).toHaveLength(5));
    expect(await shownTo({})).toEqual(['service', 'transactional']);
    expect(await shownTo(everything, true)).toEqual(['service', 'transactional']);
    expect(await shownTo({ of_our_own: 'GRANTED' })).toEqual([
      'of_our_own',
      'service',
      'transactional',
    ]);
    expect(await shownTo({ ...everything, research: 'DENIED', service: 'DENIED' })).toEqual([
      'marketing',
      'of_our_own',
      'transactional',
    ]);
  });
});

describe.concurrent('caps', () => {
  test('of the campaign apply: in total, per window, by interval, and interactions that end it', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const total = await createCampaign(workspaceId, { totalMax: 2 });
    const window = await createCampaign(workspaceId, { windowMax: 2, windowSeconds: 3600 });
    const interval = await createCampaign(workspaceId, { intervalSecondsMin: 3600 });
    const clicked = await createCampaign(workspaceId, { endsOn: ['clicked'] });
    const dismissed = await createCampaign(workspaceId, { endsOn: ['dismissed'] });
    const never = await createCampaign(workspaceId, { endsOn: [] });
    const all = [total, window, interval, clicked, dismissed, never];
    await untilShown(ingest(), tenant, all, { userId: 'fresh' });
    const shown = async (userId: string) => fetchIds(ingest(), tenant, { userId });
    const without = (...ids: string[]) => all.filter(id => !ids.includes(id));

    for (const id of all) await expose(workspaceId, 'once', id, 'impression', 10);
    expect(await shown('once')).toEqual(without(interval));
    for (const id of all) await expose(workspaceId, 'once', id, 'impression', 5);
    expect(await shown('once')).toEqual(without(total, window, interval));
    // Old exposures, even from before any campaign's window, count toward the total only.
    for (const seconds of [3700, 3_000_000])
      for (const id of all) await expose(workspaceId, 'long ago', id, 'impression', seconds);
    expect(await shown('long ago')).toEqual(without(total));
    for (const id of all) await expose(workspaceId, 'clicker', id, 'clicked', 3_000_000);
    expect(await shown('clicker')).toEqual(without(total, window, interval, clicked));
    for (const id of all) await expose(workspaceId, 'dismisser', id, 'dismissed');
    expect(await shown('dismisser')).toEqual(without(total, window, interval, dismissed));
  });

  test('of the workspace apply to all campaigns except exempt ones', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const [one, two] = [await createCampaign(workspaceId), await createCampaign(workspaceId)];
    const exempt = await createCampaign(workspaceId, { isCapExempt: true });
    await untilShown(ingest(), tenant, [one, two, exempt], { userId: 'fresh' });
    const shown = async (userId: string) => fetchIds(ingest(), tenant, { userId });

    await setWorkspaceCaps(workspaceId, { dailyMax: 2 });
    await expose(workspaceId, 'daily', one, 'impression', 3600);
    await expose(workspaceId, 'daily', two, 'impression', 90_000);
    expect(await shown('daily')).toEqual([one, two, exempt]);
    await expose(workspaceId, 'daily', exempt, 'impression', 60);
    expect(await shown('daily')).toEqual([exempt]);

    await setWorkspaceCaps(workspaceId, { intervalSecondsMin: 600 });
    expect(await shown('daily')).toEqual([exempt]);
    await expose(workspaceId, 'earlier', one, 'impression', 700);
    await expose(workspaceId, 'earlier', one, 'clicked', 1);
    expect(await shown('earlier')).toEqual([two, exempt]);
    await setWorkspaceCaps(workspaceId, {});
    expect(await shown('daily')).toEqual([one, two, exempt]);
  });

  test('a fetch does not count', async () => {
    const tenant = await liveTenant(ingest());
    const id = await createCampaign(tenant.workspaceId, { totalMax: 1, intervalSecondsMin: 3600 });
    await setWorkspaceCaps(tenant.workspaceId, { dailyMax: 1 });
    await untilShown(ingest(), tenant, [id], { userId: 'user-1' });
    await untilShown(ingest(), tenant, [id], { userId: 'user-1' });
  });

  test('campaigns that depend on a history longer than the limit are not shown', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const ending = await createCampaign(workspaceId);
    const endless = await createCampaign(workspaceId, { endsOn: [] });
    await untilShown(ingest(), tenant, [ending, endless], { userId: 'user-1' });
    await sql(
      `INSERT INTO exposures (id, workspace_id, user_id, campaign_id, event_type, occurred_at)
       SELECT gen_random_uuid(), $1, 'user-1', 'other', 'impression', now() - interval '1 year'
       FROM generate_series(1, 20001)`,
      [workspaceId],
    );
    expect(await fetchIds(ingest(), tenant, { userId: 'user-1' })).toEqual([endless]);
  });
});
