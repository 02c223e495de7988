import { describe, expect, test } from 'vitest';
import { activeCampaigns } from '../../ingest/accept/active-campaign.contract.ts';
import { fetchActive, fetchIds, untilShown } from '../harness/active.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { createCampaign } from '../harness/campaign.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { createSibling } from '../harness/tenant.ts';

const ingest = useSharedIngest();
const somebody = { userId: 'user-1' };

describe.concurrent('the response', () => {
  test('contains the campaign with the fields of the contract', async () => {
    const tenant = await liveTenant(ingest());
    const endsAt = new Date(Date.now() + 3_600_000);
    const content = { title: 'Größer', nested: { list: [1, 2.5, null, true] } };
    const id = await createCampaign(tenant.workspaceId, {
      name: 'Autumn "sale"',
      type: 'modal',
      surfaces: ['bill', 'home'],
      content,
      priority: 7,
      endsAt,
    });
    await untilShown(ingest(), tenant, [id]);
    const answer = await fetchActive(ingest(), tenant, somebody);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(activeCampaigns.parse(answer.json())).toEqual(answer.json());
    expect(answer.json()).toEqual([
      {
        campaign_id: id,
        name: 'Autumn "sale"',
        type: 'modal',
        surfaces: ['bill', 'home'],
        content,
        priority: 7,
        variant_id: null,
        expires_at: endsAt.toISOString(),
      },
    ]);
  });

  test('is an empty array if there is no campaign', async () => {
    const tenant = await liveTenant(ingest());
    expect(await fetchIds(ingest(), tenant, somebody)).toEqual([]);
    expect(await fetchIds(ingest(), tenant)).toEqual([]);
  });

  test('is sorted by priority, then by age, with at most 50 campaigns', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const createdAt = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000);
    const low = await createCampaign(workspaceId, { priority: -1, createdAt: createdAt(9) });
    const young = await createCampaign(workspaceId, { createdAt: createdAt(1) });
    const old = await createCampaign(workspaceId, { createdAt: createdAt(5) });
    const high = await createCampaign(workspaceId, { priority: 3 });
    await untilShown(ingest(), tenant, [high, old, young, low], somebody);
    await untilShown(ingest(), tenant, [high, old, young, low]);
    const many: string[] = [];
    for (let minutesAgo = 60; minutesAgo > 0; minutesAgo--)
      many.push(
        await createCampaign(workspaceId, { priority: 5, createdAt: createdAt(minutesAgo) }),
      );
    await untilShown(ingest(), tenant, many.slice(0, 50), somebody);
    await untilShown(ingest(), tenant, many.slice(0, 50));
  });

  test('contains no campaigns of another workspace, even of the same organization', async () => {
    const tenant = await liveTenant(ingest());
    const other = await liveTenant(ingest());
    const sibling = await createSibling(tenant);
    const own = await createCampaign(tenant.workspaceId);
    const others = await createCampaign(other.workspaceId);
    const siblings = await createCampaign(sibling.workspaceId);
    await untilShown(ingest(), other, [others], somebody);
    await untilShown(ingest(), sibling, [siblings], somebody);
    await untilShown(ingest(), tenant, [own], somebody);
    await untilShown(ingest(), tenant, [own]);
  });

  test('has CORS headers for a browser', async () => {
    const tenant = await liveTenant(ingest(), { origins: ['https://shop.example'] });
    const headers = { origin: 'https://shop.example' };
    const answer = await fetchActive(ingest(), tenant, { ...somebody, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe('https://shop.example');
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

describe.concurrent('surfaces', () => {
  test('campaigns with surfaces are shown there, others everywhere', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const bill = await createCampaign(workspaceId, { priority: 3, surfaces: ['bill'] });
    const two = await createCampaign(workspaceId, {
      priority: 2,
      surfaces: ['bill', 'ünï & co/1'],
    });
    const all = await createCampaign(workspaceId, { priority: 1 });
    const shownFor = async (query: string) => fetchIds(ingest(), tenant, { ...somebody, query });
    await untilShown(ingest(), tenant, [bill, two, all], somebody);
    expect(await shownFor('current_surface=bill')).toEqual([bill, two, all]);
    expect(await shownFor('current_surface=%62ill')).toEqual([bill, two, all]);
    expect(await shownFor('current_surface=%C3%BCn%C3%AF+%26%20co%2F1')).toEqual([two, all]);
    expect(await shownFor('a=b&current_surface=bill&c')).toEqual([bill, two, all]);
    for (const query of [
      'current_surface=Bill',
      'current_surface=unheard_of',
      'current_surface=%ZZ',
    ])
      expect(await shownFor(query)).toEqual([all]);
    for (const query of ['', 'current_surface=', 'current_surface', 'surface=bill'])
      expect(await shownFor(query)).toEqual([bill, two, all]);
    expect(await fetchIds(ingest(), tenant, { surface: 'bill' })).toEqual([bill, two, all]);
    expect(await fetchIds(ingest(), tenant, { surface: 'home' })).toEqual([all]);
  });
});

describe.concurrent('an unidentified person', () => {
  test('sees campaigns that are open to everyone', async () => {
    const tenant = await liveTenant(ingest());
    const { workspaceId } = tenant;
    const open = await createCampaign(workspaceId, { totalMax: 1 });
    const ofPurpose = await createCampaign(workspaceId, { consentPurpose: 'marketing' });
    const audience = { trait: 'plan', operator: 'exists', value: false };
    const ofAudience = await createCampaign(workspaceId, { audience });
    // A person without a contact matches this audience; a request without a person matches none.
    await untilShown(ingest(), tenant, [open, ofAudience], somebody);
    await untilShown(ingest(), tenant, [open]);
    expect(await fetchIds(ingest(), tenant, { userId: '', contactId: ' ' })).toEqual([open]);
    expect(ofPurpose).toMatch(/./);
  });

  test('sees the first variant', async () => {
    const tenant = await liveTenant(ingest());
    const variants = [
      { id: 'first', weight: 1, content: { title: 'First' } },
      { id: 'second', weight: 99 },
    ];
    const id = await createCampaign(tenant.workspaceId, { variants });
    await untilShown(ingest(), tenant, [id]);
    const answer = await fetchActive(ingest(), tenant);
    expect(answer.json()).toEqual([
      expect.objectContaining({ variant_id: 'first', content: { title: 'First' } }),
    ]);
  });
});
