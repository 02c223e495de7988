import { z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/rejected.ts';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { changeRoute, listRoute, showRoute } from '../platform/rest/routes.ts';
import { campaignCreate, campaignUpdate } from './campaign.actions.ts';
import {
  type CampaignCreateBody,
  type CampaignResource,
  campaignCreateBody,
  campaignFilterContract,
  campaignResource,
  campaignUpdateBody,
} from './campaign.contract.ts';
import type { Campaign } from './campaign.entity.ts';
import { campaignsByIds, campaignsPage } from './campaign.reads.ts';
import { capsOf, endsOf } from './campaign.settings.ts';

const PATH = '/api/v1/campaigns/{campaign_id}';
const params = z.object({
  campaign_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});

const common = { tag: 'Campaigns', isInWorkspace: true, access: 'member' } as const;
const shown = { campaign: campaignResource };

export function campaignRoutes(app: RestApp): void {
  listRoute(app, {
    ...common,
    path: '/api/v1/campaigns',
    operationId: 'listCampaigns',
    summary: 'List the campaigns of the workspace, newest first',
    description: 'Includes archived campaigns unless `status` is set.',
    query: campaignFilterContract.shape,
    item: campaignResource,
    items: 'A page of campaigns.',
    page: campaignsPage,
    show: campaignAnswer,
  });

  showRoute(app, {
    ...common,
    path: PATH,
    operationId: 'getCampaign',
    summary: 'Retrieve a campaign',
    description: 'Returns the settings and the status of the campaign.',
    params,
    result: ['The campaign.', shown],
    show: ({ campaign_id: id }, context) => campaignShown({ id }, context),
  });
  changeRoute(app, {
    ...common,
    path: '/api/v1/campaigns',
    operationId: 'createCampaign',
    summary: 'Create a draft campaign',
    description:
      'The campaign is not shown until it is launched with the `campaignLaunch` GraphQL mutation. A draft can be incomplete, but it cannot be launched until it is complete.',
    body: campaignCreateBody,
    result: ['The new draft.', shown],
    statuses: [404],
    operation: 'campaignCreate',
    action: campaignCreate,
    input: inGraphsWords,
    show: campaignShown,
  });
  changeRoute(app, {
    ...common,
    method: 'patch',
    path: PATH,
    operationId: 'updateCampaign',
    summary: 'Update a campaign',
    description:
      'Omitted fields are unchanged. Returns 409 if `version` is not the campaign’s current version. A live campaign must stay complete.',
    params,
    body: campaignUpdateBody,
    result: ['The updated campaign.', shown],
    statuses: [404],
    operation: 'campaignUpdate',
    action: campaignUpdate,
    input: ({ campaign_id: id, ...changes }) => ({ id, ...inGraphsWords(changes) }),
    show: campaignShown,
  });
}

type SettingsBody = Omit<CampaignCreateBody, 'name' | 'type'>;

function inGraphsWords<Body extends SettingsBody>({ starts_at, ends_at, caps, ...body }: Body) {
  const { consent_purpose, ends_on, is_cap_exempt, ...same } = body;
  return {
    ...same,
    startsAt: starts_at,
    endsAt: ends_at,
    consentPurpose: consent_purpose,
    endsOn: ends_on,
    isCapExempt: is_cap_exempt,
    caps: caps && {
      totalMax: caps.total_max,
      windowMax: caps.window_max,
      windowSeconds: caps.window_seconds,
      intervalSecondsMin: caps.interval_seconds_min,
    },
  };
}

async function campaignShown({ id }: { readonly id: string }, context: Context) {
  const [campaign] = await campaignsByIds(context, [id]);
  if (campaign === undefined) return notFound('campaign');
  return { campaign: campaignAnswer(campaign) };
}

function campaignAnswer(campaign: Campaign): CampaignResource {
  const caps = capsOf(campaign);
  return {
    id: campaign.id,
    name: campaign.name,
    type: campaign.type,
    status: campaign.status,
    surfaces: campaign.surfaces,
    content: campaign.content,
    priority: campaign.priority,
    starts_at: campaign.startsAt?.toISOString() ?? null,
    ends_at: campaign.endsAt?.toISOString() ?? null,
    audience: campaign.audience ?? null,
    consent_purpose: campaign.consentPurpose,
    ends_on: endsOf(campaign),
    caps: {
      total_max: caps.totalMax,
      window_max: caps.windowMax,
      window_seconds: caps.windowSeconds,
      interval_seconds_min: caps.intervalSecondsMin,
    },
    is_cap_exempt: campaign.isCapExempt,
    variants: campaign.variants as CampaignResource['variants'],
    version: campaign.version,
    created_at: campaign.createdAt.toISOString(),
    updated_at: campaign.updatedAt.toISOString(),
  };
}
