import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createCampaign, createContact } from '../../harness/campaign.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { ask } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';
import { campaignActions } from './campaign-actions.ts';

const api = useSharedApi();

const { by } = campaignActions(api);

describe.concurrent('the size of an audience', () => {
  const SIZE = `query ($id: ID!, $most: Int) {
    campaign(id: $id) { audienceSize(examinedMax: $most) { matching examined isComplete } }
  }`;

  test('equals the number of contacts that match, also over several reads', async () => {
    const tenant = await createTenant();
    const { workspaceId } = tenant;
    await sql(
      `INSERT INTO contacts (id, workspace_id, user_id, traits)
       SELECT gen_random_uuid(), $1, 'user-' || n,
         jsonb_build_object('n', n, 'a.b', CASE WHEN n % 2 = 0 THEN 'x' END,
           'a', jsonb_build_object('b', 'y'), 'unasked', repeat('z', 100))
       FROM generate_series(1, 2500) n`,
      [workspaceId],
    );
    await createContact(workspaceId, { traits: { n: '7', 'a.b': 'x' } });
    await createContact((await createTenant()).workspaceId, { traits: { n: 7 } });
    const size = async (audience: unknown, most: number | null = null) => {
      const id = encodeNodeId('Campaign', await createCampaign(workspaceId, { audience }));
      type Answer = { campaign: { audienceSize: unknown } };
      return (await ask<Answer>(by(tenant), SIZE, { id, most })).campaign.audienceSize;
    };
    const all = { examined: 2501, isComplete: true };
    expect(await size({ trait: 'n', operator: 'gt', value: 1_500 })).toEqual({
      matching: 1_000,
      ...all,
    });
    expect(await size({ trait: 'a.b', operator: 'eq', value: 'x' })).toEqual({
      matching: 1_251,
      ...all,
    });
    expect(await size({ trait: 'a.b', operator: 'eq', value: 'y' })).toEqual({
      matching: 1_250,
      ...all,
    });
    expect(await size({ not: { trait: 'n', operator: 'exists', value: true } })).toEqual({
      matching: 0,
      ...all,
    });
    expect(await size(undefined)).toEqual({ matching: 2501, ...all });
    expect(await size(undefined, 2501)).toEqual({ matching: 2501, ...all });
    expect(await size(undefined, 2500)).toEqual({
      matching: 2500,
      examined: 2500,
      isComplete: false,
    });
    expect(await size(undefined, 1)).toEqual({ matching: 1, examined: 1, isComplete: false });
  });

  test('counts separately whom consent allows the campaign to be shown to', async () => {
    const tenant = await createTenant();
    const { workspaceId } = tenant;
    const traits = { plan: 'pro' };
    await createContact(workspaceId, { traits, consents: { marketing: 'GRANTED' } });
    await createContact(workspaceId, { traits, consents: { marketing: 'DENIED' } });
    await createContact(workspaceId, { traits, consents: { service: 'DENIED' } });
    await createContact(workspaceId, {
      traits,
      consents: { marketing: 'GRANTED' },
      isSuppressed: true,
    });
    await createContact(workspaceId, { consents: { marketing: 'GRANTED' } });
    const audience = { trait: 'plan', operator: 'eq', value: 'pro' };
    const size = 'matching consenting examined isComplete';
    const saved = async (options: object) => {
      const id = encodeNodeId('Campaign', await createCampaign(workspaceId, options));
      const query = `query ($id: ID!) { campaign(id: $id) { audienceSize { ${size} } } }`;
      const { campaign } = await ask<{ campaign: { audienceSize: unknown } }>(by(tenant), query, {
        id,
      });
      return campaign.audienceSize;
    };
    const unsaved = async (given: Readonly<Record<string, unknown>>) => {
      const query = `query ($audience: JSON, $consentPurpose: String!) {
        audienceSize(audience: $audience, consentPurpose: $consentPurpose) { ${size} }
      }`;
      return (await ask<{ audienceSize: unknown }>(by(tenant), query, given)).audienceSize;
    };
    for (const sizeOf of [saved, unsaved]) {
      const all = { examined: 5, isComplete: true };
      const marketing = { matching: 4, consenting: 1, ...all };
      expect(await sizeOf({ audience, consentPurpose: 'marketing' })).toEqual(marketing);
      const service = { matching: 4, consenting: 3, ...all };
      expect(await sizeOf({ audience, consentPurpose: 'service' })).toEqual(service);
      const everyone = { matching: 5, consenting: 2, ...all };
      expect(await sizeOf({ consentPurpose: 'marketing' })).toEqual(everyone);
    }
  });

  test('is refused for an audience that no campaign can have', async () => {
    const tenant = await createTenant();
    const answer = await api().graphql(
      `{ audienceSize(
        audience: { trait: "plan", operator: "is", value: "pro" }, consentPurpose: "marketing"
      ) { matching } }`,
      { token: await tokenFor(tenant.organizationId) },
    );
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: ['audience', 'operator'],
    });
  });

  test('is an estimate if there are too many contacts to examine', async () => {
    const tenant = await createTenant();
    await createContact(tenant.workspaceId, { traits: { plan: 'x'.repeat(20_000) } });
    await createContact(tenant.workspaceId, { traits: { plan: 'pro', other: 'x'.repeat(20_000) } });
    const audience = { trait: 'plan', operator: 'exists', value: true };
    const id = encodeNodeId('Campaign', await createCampaign(tenant.workspaceId, { audience }));
    expect(await ask(by(tenant), SIZE, { id })).toEqual({
      campaign: { audienceSize: { matching: 1, examined: 1, isComplete: false } },
    });
  });
});
