import { describe, expect, test } from 'vitest';
import { activeCampaigns } from '../../schema/wire/active-campaign.ts';
import { fetchActive, fetchIds, untilShown } from '../harness/active.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { createCampaign, createContact } from '../harness/campaign.ts';
import { useIngest } from '../harness/ingest-process.ts';

const ingest = useIngest();

describe.concurrent('what is answered', () => {
  test('the campaign as the contract has it', async () => {
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
    const answer = await fetchActive(ingest(), tenant, { userId: 'user-1' });
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

  test('nothing is an empty array', async () => {
    const tenant = await liveTenant(ingest());
    expect(await fetchIds(ingest(), tenant, { userId: 'user-1' })).toEqual([]);
    expect(await fetchIds(ingest(), tenant)).toEqual([]);
  });
});
void createContact;
