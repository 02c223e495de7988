import { builder } from '../platform/graph/builder.ts';
import { changedObject, type InputFields, mutation } from '../platform/graph/mutation.ts';
import {
  campaignArchive,
  campaignCreate,
  campaignDuplicate,
  campaignLaunch,
  campaignPause,
  campaignUpdate,
} from './campaign.actions.ts';
import {
  campaignCreateContract,
  campaignIdContract,
  campaignLaunchContract,
  campaignUpdateContract,
} from './campaign.contract.ts';
import { CampaignEndRef, CampaignRef, CampaignTypeRef, campaignById } from './campaign.graph.ts';

const CampaignCapsInput = builder.inputType('CampaignCapsInput', {
  description: 'The frequency caps of a campaign, per person. An omitted field sets no limit.',
  fields: t => ({
    totalMax: t.int({ description: 'The maximum number of impressions.' }),
    windowMax: t.int({ description: 'The maximum number of impressions within the window.' }),
    windowSeconds: t.int({
      description: 'The length of the sliding window in seconds, from 60 to 2678400 (31 days).',
    }),
    intervalSecondsMin: t.int({
      description: 'The minimum number of seconds between two impressions.',
    }),
  }),
});

const CampaignVariantInput = builder.inputType('CampaignVariantInput', {
  description: 'A variant of an A/B test.',
  fields: t => ({
    id: t.string({ required: true, description: 'The ID of the variant within the campaign.' }),
    weight: t.float({
      required: true,
      description: 'The weight of the variant relative to the other variants.',
    }),
    content: t.field({
      type: 'JSON',
      description: 'The content to show instead of the campaign’s content.',
    }),
  }),
});

const settings = (t: InputFields) => ({
  surfaces: t.stringList({
    description:
      'The surfaces that can show the campaign. If the list is empty, all surfaces can show it.',
  }),
  content: t.field({
    type: 'JSON',
    description: 'The content to display: a JSON object of at most 65,536 bytes.',
  }),
  priority: t.int({
    description:
      'The priority. Campaigns with a higher priority are displayed first. Defaults to 0 in a new campaign.',
  }),
  startsAt: t.field({
    type: 'DateTime',
    description: 'When the campaign starts; null if it starts when it is launched.',
  }),
  endsAt: t.field({
    type: 'DateTime',
    description: 'When the campaign ends; null if it has no end.',
  }),
  audience: t.field({
    type: 'JSON',
    description:
      'The audience rule, such as {"and": [{"trait": "plan", "operator": "eq", "value": "pro"}, {"not": {"segment_id": "019…"}}]}; null if the campaign is for everyone. `segment_id` is the `audienceId` of a segment.',
  }),
  consentPurpose: t.string({
    description:
      'The consent purpose of the campaign. The campaign is shown only to people who consented to this purpose. For `service` and `transactional`, it is enough that they have not denied consent. Defaults to `marketing` in a new campaign.',
  }),
  endsOn: t.field({
    type: [CampaignEndRef],
    description:
      'The interactions after which a person no longer sees the campaign. Defaults to `CLICKED` and `DISMISSED` in a new campaign.',
  }),
  caps: t.field({
    type: CampaignCapsInput,
    description:
      'The frequency caps of the campaign, per person. In an update, they replace all existing caps.',
  }),
  isCapExempt: t.boolean({
    description:
      'Whether the campaign ignores the caps of the workspace. Impressions of the campaign still count toward these caps.',
  }),
  variants: t.field({
    type: [CampaignVariantInput],
    description:
      'The variants of the A/B test, at most 10. In an update, they replace all existing variants.',
  }),
});

const shown = (description: string) =>
  changedObject('campaign', CampaignRef, campaignById, description);

mutation({
  name: 'campaignCreate',
  description: 'Creates a draft campaign. It is not shown until it is launched.',
  access: 'member',
  input: t => ({
    name: t.string({ required: true, description: 'The name of the campaign.' }),
    type: t.field({
      type: CampaignTypeRef,
      required: true,
      description: 'The display type of the campaign.',
    }),
    ...settings(t),
  }),
  contract: campaignCreateContract,
  codes: ['NOT_FOUND', 'CAMPAIGN_TOO_LARGE', 'TOO_MANY_CAMPAIGNS'],
  action: campaignCreate,
  payload: shown('The new draft.'),
});

mutation({
  name: 'campaignUpdate',
  description:
    'Updates a campaign. Omitted fields are unchanged. Members can update drafts; owners can also update launched campaigns. Ingest applies the change within a second.',
  access: 'member',
  target: CampaignRef,
  input: t => ({
    version: t.int({
      required: true,
      description:
        'The version that the update is based on. The update fails if the campaign has a newer version.',
    }),
    name: t.string({ description: 'The name of the campaign.' }),
    type: t.field({ type: CampaignTypeRef, description: 'The display type of the campaign.' }),
    ...settings(t),
  }),
  contract: campaignUpdateContract,
  codes: [
    'NOT_FOUND',
    'CAMPAIGN_CHANGED',
    'CAMPAIGN_STATUS',
    'CAMPAIGN_INCOMPLETE',
    'CAMPAIGN_TOO_LARGE',
    'SEGMENT_NOT_READY',
  ],
  action: campaignUpdate,
  payload: shown('The updated campaign.'),
});

mutation({
  name: 'campaignLaunch',
  description:
    'Launches a draft or paused campaign. It is shown within a second, or from its start time if that is later. Has no effect if the campaign is already live.',
  access: 'owner',
  target: CampaignRef,
  input: t => ({
    version: t.int({
      required: true,
      description:
        'The version of the campaign to launch. The launch fails if the campaign has a newer version.',
    }),
  }),
  contract: campaignLaunchContract,
  codes: [
    'NOT_FOUND',
    'CAMPAIGN_CHANGED',
    'CAMPAIGN_STATUS',
    'CAMPAIGN_INCOMPLETE',
    'SEGMENT_NOT_READY',
    'TOO_MANY_LIVE_CAMPAIGNS',
  ],
  action: campaignLaunch,
  payload: shown('The live campaign.'),
});

mutation({
  name: 'campaignPause',
  description:
    'Pauses a live campaign, effective within a second. Has no effect if the campaign is already paused.',
  access: 'owner',
  target: CampaignRef,
  contract: campaignIdContract,
  codes: ['NOT_FOUND', 'CAMPAIGN_STATUS'],
  action: campaignPause,
  payload: shown('The paused campaign.'),
});

mutation({
  name: 'campaignArchive',
  description:
    'Archives a campaign permanently. Has no effect if the campaign is already archived.',
  access: 'owner',
  target: CampaignRef,
  contract: campaignIdContract,
  codes: ['NOT_FOUND'],
  action: campaignArchive,
  payload: shown('The archived campaign.'),
});

mutation({
  name: 'campaignDuplicate',
  description: 'Creates a draft campaign with the settings of an existing campaign in any status.',
  access: 'member',
  target: CampaignRef,
  contract: campaignIdContract,
  codes: ['NOT_FOUND', 'CAMPAIGN_TOO_LARGE', 'TOO_MANY_CAMPAIGNS'],
  action: campaignDuplicate,
  payload: shown('The new draft.'),
});
