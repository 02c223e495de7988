// Changes by operators take effect for SDKs, with both processes as in production. The preview
// returns the same result in advance.

import { expect, test } from 'vitest';
import { decodeNodeId, encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { fetchIds, untilShown } from '../../harness/active.ts';
import { createCampaign, createContact, expose, setWorkspaceCaps } from '../../harness/campaign.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { ask, mutate } from '../harness/mutate.ts';

const api = useSharedApi();
const ingest = useSharedIngest();

const by = (tenant: Tenant) => ({ api: api(), tenant });

type Shown = { readonly campaign: { readonly id: string; readonly version: number } };

async function change(
  tenant: Tenant,
  name: string,
  args: { readonly id?: string; readonly input?: Readonly<Record<string, unknown>> },
): Promise<Shown['campaign']> {
  return (await mutate<Shown>(by(tenant), name, args, 'campaign { id version }')).campaign;
}

test('a launched campaign is shown, an edited one with its changes, and a paused one is not shown', async () => {
  const tenant = await createTenant();
  const input = {
    name: 'Notice',
    type: 'BANNER',
    content: { title: 'One' },
    consentPurpose: 'service',
  };
  const { id, version } = await change(tenant, 'campaignCreate', { input });
  const campaignId = decodeNodeId(id).id;
  await untilShown(ingest(), tenant, []);
  const live = await change(tenant, 'campaignLaunch', { id, input: { version } });
  await untilShown(ingest(), tenant, [campaignId]);

  const surfaces = ['home'];
  const edit = { version: live.version, surfaces };
  const edited = await change(tenant, 'campaignUpdate', { id, input: edit });
  await untilShown(ingest(), tenant, [], { surface: 'cart' });
  await untilShown(ingest(), tenant, [campaignId], { surface: 'home' });

  await change(tenant, 'campaignPause', { id });
  await untilShown(ingest(), tenant, []);
  const again = { version: edited.version + 1 };
  await change(tenant, 'campaignLaunch', { id, input: again });
  await untilShown(ingest(), tenant, [campaignId]);
  await change(tenant, 'campaignArchive', { id });
  await untilShown(ingest(), tenant, []);
});

test('traits, consents and suppression apply from the next request', async () => {
  const tenant = await createTenant();
  const { workspaceId } = tenant;
  const audience = { trait: 'plan', operator: 'eq', value: 'pro' };
  const campaignId = await createCampaign(workspaceId, { audience, consentPurpose: 'marketing' });
  const other = await createCampaign(workspaceId, { priority: -1 });
  await untilShown(ingest(), tenant, [other]);
  const userId = 'person';
  const shown = () => fetchIds(ingest(), tenant, { userId });
  const upsert = (traits: object) =>
    mutate<{ contact: { id: string } }>(
      by(tenant),
      'contactUpsert',
      { input: { userId, traits } },
      'contact { id }',
    );
  const { contact } = await upsert({ plan: 'pro' });
  expect(await shown()).toEqual([other]);
  const consent = (status: string) => {
    const input = { purpose: 'marketing', status };
    return mutate(by(tenant), 'consentSet', { id: contact.id, input }, '__typename');
  };
  await consent('GRANTED');
  expect(await shown()).toEqual([campaignId, other]);
  await mutate(by(tenant), 'contactSuppress', { id: contact.id }, '__typename');
  expect(await shown()).toEqual([other]);
  await mutate(by(tenant), 'contactUnsuppress', { id: contact.id }, '__typename');
  expect(await shown()).toEqual([campaignId, other]);
  await consent('DENIED');
  expect(await shown()).toEqual([other]);
  await consent('GRANTED');
  await upsert({ plan: 'free' });
  expect(await shown()).toEqual([other]);
});

type Preview = {
  readonly shown: readonly {
    readonly campaign: { readonly id: string };
    variantId: string | null;
  }[];
  readonly skipped: readonly { readonly campaign: { readonly id: string }; reason: string }[];
  readonly skippedCount: number;
};

const PREVIEW = `query ($contactId: ID, $userId: String, $surface: String) {
  campaignPreview(contactId: $contactId, userId: $userId, surface: $surface) {
    shown { campaign { id } variantId } skipped { campaign { id } reason } skippedCount
  }
}`;

async function preview(tenant: Tenant, who: Readonly<Record<string, unknown>>): Promise<Preview> {
  const answer = await ask<{ campaignPreview: Preview }>(by(tenant), PREVIEW, who);
  return answer.campaignPreview;
}

function idsOf(preview: Preview): string[] {
  return preview.shown.map(({ campaign }) => decodeNodeId(campaign.id).id);
}

function reasonsOf({ skipped }: Preview): Record<string, string> {
  return Object.fromEntries(
    skipped.map(({ campaign, reason }) => [decodeNodeId(campaign.id).id, reason]),
  );
}

test('the preview equals what an SDK receives, with the reason for each other campaign', async () => {
  const tenant = await createTenant();
  const { workspaceId } = tenant;
  const make = (options: Parameters<typeof createCampaign>[1]) =>
    createCampaign(workspaceId, options);
  const high = await make({
    priority: 9,
    variants: [
      { id: 'a', weight: 1 },
      { id: 'b', weight: 1 },
    ],
  });
  const pro = await make({ audience: { trait: 'plan', operator: 'eq', value: 'pro' } });
  const cart = await make({ surfaces: ['cart'] });
  const later = await make({ startsAt: new Date(Date.now() + 3_600_000) });
  const marketing = await make({ consentPurpose: 'marketing' });
  const capped = await make({ totalMax: 1 });
  const clicked = await make({ priority: 1 });
  await make({ status: 'PAUSED' });
  const { contactId, userId } = await createContact(workspaceId, { traits: { plan: 'pro' } });
  await expose(workspaceId, userId, capped);
  await expose(workspaceId, userId, clicked, 'clicked');
  const everybody = [high, clicked, cart, capped];
  await untilShown(ingest(), tenant, everybody);

  const own = await preview(tenant, { contactId: encodeNodeId('Contact', contactId) });
  expect(idsOf(own)).toEqual([high, pro, cart]);
  expect(await fetchIds(ingest(), tenant, { userId })).toEqual(idsOf(own));
  expect(reasonsOf(own)).toEqual({
    [later]: 'NOT_STARTED',
    [marketing]: 'CONSENT_UNKNOWN',
    [capped]: 'TOTAL_CAP',
    [clicked]: 'CLICKED',
  });
  expect(await preview(tenant, { userId })).toEqual(own);

  for (const who of [{}, { userId: 'stranger' }, { userId, surface: 'home' }, { surface: 'cart' }])
    expect(await fetchIds(ingest(), tenant, who)).toEqual(idsOf(await preview(tenant, who)));
  expect(reasonsOf(await preview(tenant, { surface: 'home' }))).toMatchObject({
    [cart]: 'OTHER_SURFACE',
    [pro]: 'NOT_IN_AUDIENCE',
  });

  await setWorkspaceCaps(workspaceId, { dailyMax: 1 });
  const over = await preview(tenant, { userId });
  expect(idsOf(over)).toEqual(await fetchIds(ingest(), tenant, { userId }));
  expect(reasonsOf(over)[high]).toBe('WORKSPACE_DAILY_CAP');
});

test('a preview is for one person of the workspace, or an unidentified person', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  await createCampaign(tenant.workspaceId);
  const { contactId } = await createContact(other.workspaceId);
  expect(await preview(tenant, { contactId: encodeNodeId('Contact', contactId) })).toBeNull();
  expect(
    await preview(tenant, { contactId: encodeNodeId('Workspace', tenant.workspaceId) }),
  ).toBeNull();
  const variables = { contactId: encodeNodeId('Contact', contactId), userId: 'u' };
  await expect(preview(tenant, variables)).rejects.toThrow('either `contactId` or `userId`');
  await expect(preview(tenant, { userId: '\u0000' })).rejects.toThrow('BAD_USER_INPUT');
});
