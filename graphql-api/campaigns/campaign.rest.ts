import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { listAnswer } from '../platform/rest/list-answer.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  errors,
  json,
  listOf,
  pageQuery,
  type RestApp,
  resultOf,
  workspaceChangeHeaders,
  workspaceHeader,
} from '../platform/rest/rest-app.ts';
import { runAction } from '../platform/run-action.ts';
import {
  type CampaignCreateBody,
  type CampaignResource,
  type CampaignUpdateBody,
  campaignCreateBody,
  campaignFilterContract,
  campaignResource,
  campaignUpdateBody,
} from './campaign.contract.ts';
import { campaignCreate } from './campaign.create.ts';
import type { Campaign } from './campaign.entity.ts';
import { campaignsByIds, campaignsPage } from './campaign.reads.ts';
import { capsOf, endsOf } from './campaign.settings.ts';
import { campaignUpdate } from './campaign.update.ts';

const PATH = '/api/v1/campaigns/{campaign_id}';
const campaignResult = resultOf({ campaign: campaignResource });
const params = z.object({
  campaign_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});

export function campaignRoutes(app: RestApp): void {
  const list = createRoute({
    method: 'get',
    path: '/api/v1/campaigns',
    tags: ['Campaigns'],
    operationId: 'listCampaigns',
    summary: 'List the campaigns of the workspace, newest first',
    description: 'Includes archived campaigns unless `status` is set.',
    middleware: allow('member'),
    request: { headers: workspaceHeader, query: pageQuery.extend(campaignFilterContract.shape) },
    responses: { 200: json('A page of campaigns.', listOf(campaignResource)), ...errors(400) },
  });
  app.openapi(list, async c => {
    const { limit, cursor, ...filter } = c.req.valid('query');
    const page = await campaignsPage(c.var.context, { first: limit, after: cursor }, filter);
    return c.json(listAnswer(page, campaignAnswer), 200);
  });

  const one = createRoute({
    method: 'get',
    path: PATH,
    tags: ['Campaigns'],
    operationId: 'getCampaign',
    summary: 'Retrieve a campaign',
    description: 'Returns the settings and the status of the campaign.',
    middleware: allow('member'),
    request: { params, headers: workspaceHeader },
    responses: { 200: json('The campaign.', campaignResult), ...errors(400, 404) },
  });
  app.openapi(one, async c => {
    const { campaign_id: id } = c.req.valid('param');
    return c.json(await campaignShown(c.var.context, id), 200);
  });
  changeRoutes(app);
}

function changeRoutes(app: RestApp): void {
  const create = createRoute({
    method: 'post',
    path: '/api/v1/campaigns',
    tags: ['Campaigns'],
    operationId: 'createCampaign',
    summary: 'Create a draft campaign',
    description:
      'The campaign is not shown until it is launched with the GraphQL mutation `campaignLaunch`. A draft can be incomplete; launching it fails until it is complete.',
    middleware: allow('member', 10),
    request: { headers: workspaceChangeHeaders, body: bodyOf(campaignCreateBody) },
    responses: { 200: json('The new draft.', campaignResult), ...changeErrors() },
  });
  app.openapi(create, async c => {
    const { name, type, ...settings } = c.req.valid('json');
    const options = {
      operation: 'campaignCreate',
      idempotencyKey: c.req.header('idempotency-key'),
    };
    const input = { name, type, ...inGraphsWords(settings) };
    const { id } = await runAction(c.var.context, campaignCreate, input, options);
    return c.json(await campaignShown(c.var.context, id), 200);
  });

  const update = createRoute({
    method: 'patch',
    path: PATH,
    tags: ['Campaigns'],
    operationId: 'updateCampaign',
    summary: 'Update a campaign',
    description:
      'Omitted fields are unchanged. Returns 409 if the campaign was changed since `version`. A live campaign must stay complete.',
    middleware: allow('member', 10),
    request: { params, headers: workspaceChangeHeaders, body: bodyOf(campaignUpdateBody) },
    responses: {
      200: json('The updated campaign.', campaignResult),
      ...changeErrors(404),
    },
  });
  app.openapi(update, async c => {
    const { version, name, type, ...settings } = c.req.valid('json');
    const options = {
      operation: 'campaignUpdate',
      idempotencyKey: c.req.header('idempotency-key'),
    };
    const { campaign_id: id } = c.req.valid('param');
    const input = { id, version, name, type, ...inGraphsWords(settings) };
    await runAction(c.var.context, campaignUpdate, input, options);
    return c.json(await campaignShown(c.var.context, id), 200);
  });
}

type SettingsBody = Omit<CampaignCreateBody & CampaignUpdateBody, 'name' | 'type' | 'version'>;

function inGraphsWords({ starts_at, ends_at, caps, ...body }: SettingsBody) {
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

async function campaignShown(
  context: Context,
  id: string,
): Promise<z.output<typeof campaignResult>> {
  const [campaign] = await campaignsByIds(context, [id]);
  if (campaign === undefined)
    return reject('NOT_FOUND', { message: 'No campaign exists with this ID.' });
  return { status: 'SUCCESS', campaign: campaignAnswer(campaign) };
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
