import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { campaignArchive } from './campaign.archive.ts';
import {
  campaignCreateContract,
  campaignIdContract,
  campaignLaunchContract,
  campaignUpdateContract,
} from './campaign.contract.ts';
import { campaignCreate } from './campaign.create.ts';
import { campaignDuplicate } from './campaign.duplicate.ts';
import { CampaignEndRef, CampaignRef, CampaignTypeRef, campaignById } from './campaign.graph.ts';
import { campaignLaunch } from './campaign.launch.ts';
import { campaignPause } from './campaign.pause.ts';
import { campaignUpdate } from './campaign.update.ts';

const CampaignCapsInput = builder.inputType('CampaignCapsInput', {
  description: 'All caps of a campaign: what is left out is unlimited.',
  fields: t => ({
    totalMax: t.int({ description: 'Impressions in all.' }),
    windowMax: t.int({ description: 'Impressions within the window.' }),
    windowSeconds: t.int({ description: 'The length of the window: 60 to 2678400 (31 days).' }),
    intervalSecondsMin: t.int({ description: 'Seconds between two impressions.' }),
  }),
});

const CampaignVariantInput = builder.inputType('CampaignVariantInput', {
  description: 'One side of an A/B test.',
  fields: t => ({
    id: t.string({ required: true, description: 'Its id within the campaign.' }),
    weight: t.float({
      required: true,
      description: 'Its share of the people, beside the others’ weights.',
    }),
    content: t.field({ type: 'JSON', description: 'In place of the campaign’s own.' }),
  }),
});

type InputFields = PothosSchemaTypes.InputFieldBuilder<SchemaTypes, 'InputObject'>;

const settings = (t: InputFields) => ({
  surfaces: t.stringList({ description: 'Where it may be shown; empty is everywhere.' }),
  content: t.field({
    type: 'JSON',
    description: 'What to display: an object of at most 65536 bytes as JSON.',
  }),
  priority: t.int({ description: 'The highest comes first; 0 unless said.' }),
  startsAt: t.field({ type: 'DateTime', description: 'Not shown before.' }),
  endsAt: t.field({ type: 'DateTime', description: 'Not shown from then on.' }),
  audience: t.field({
    type: 'JSON',
    description:
      'Whom it is for, such as {"and": [{"trait": "plan", "operator": "eq", "value": "pro"}]}; null is everybody.',
  }),
  consentPurpose: t.string({
    description: 'What a person must have agreed to; marketing unless said.',
  }),
  endsOn: t.field({
    type: [CampaignEndRef],
    description: 'What ends it for a person; a click and a dismissal unless said.',
  }),
  caps: t.field({
    type: CampaignCapsInput,
    description: 'How often one person is shown it, as a whole.',
  }),
  isCapExempt: t.boolean({
    description: 'Shown whatever the workspace’s caps say; it still counts towards them.',
  }),
  variants: t.field({
    type: [CampaignVariantInput],
    description: 'The sides of an A/B test, at most 10, as a whole.',
  }),
});

const shown = (description: string) => (t: PayloadFields<{ readonly id: string }>) => ({
  campaign: t.field({
    type: CampaignRef,
    description,
    resolve: ({ result }, _args, graph) => result && campaignById(graph, result.id),
  }),
});

mutation({
  name: 'campaignCreate',
  description: 'Makes a draft; nobody is shown it before it is launched.',
  access: 'member',
  input: t => ({
    name: t.string({ required: true, description: 'What people call it.' }),
    type: t.field({ type: CampaignTypeRef, required: true, description: 'How it is displayed.' }),
    ...settings(t),
  }),
  contract: campaignCreateContract,
  codes: ['CAMPAIGN_TOO_LARGE', 'TOO_MANY_CAMPAIGNS'],
  action: campaignCreate,
  payload: shown('The new draft.'),
});

mutation({
  name: 'campaignUpdate',
  description:
    'Changes a campaign; what is left out stays. Members change drafts, owners also what was launched. Ingest follows within a second.',
  access: 'member',
  target: CampaignRef,
  input: t => ({
    version: t.int({
      required: true,
      description: 'The version that is changed; another one in between is refused.',
    }),
    name: t.string({ description: 'What people call it.' }),
    type: t.field({ type: CampaignTypeRef, description: 'How it is displayed.' }),
    ...settings(t),
  }),
  contract: campaignUpdateContract,
  codes: [
    'NOT_FOUND',
    'CAMPAIGN_CHANGED',
    'CAMPAIGN_STATUS',
    'CAMPAIGN_INCOMPLETE',
    'CAMPAIGN_TOO_LARGE',
  ],
  action: campaignUpdate,
  payload: shown('The campaign as it is now.'),
});

mutation({
  name: 'campaignLaunch',
  description:
    'Shows a draft or a paused campaign, within a second or from its start. A live one stays as it is.',
  access: 'owner',
  target: CampaignRef,
  input: t => ({
    version: t.int({
      required: true,
      description: 'The version that was looked at; another one since is refused.',
    }),
  }),
  contract: campaignLaunchContract,
  codes: [
    'NOT_FOUND',
    'CAMPAIGN_CHANGED',
    'CAMPAIGN_STATUS',
    'CAMPAIGN_INCOMPLETE',
    'TOO_MANY_LIVE_CAMPAIGNS',
  ],
  action: campaignLaunch,
  payload: shown('The live campaign.'),
});

mutation({
  name: 'campaignPause',
  description: 'Shows a live campaign to nobody from the next second on. A paused one stays so.',
  access: 'owner',
  target: CampaignRef,
  contract: campaignIdContract,
  codes: ['NOT_FOUND', 'CAMPAIGN_STATUS'],
  action: campaignPause,
  payload: shown('The paused campaign.'),
});

mutation({
  name: 'campaignArchive',
  description: 'Ends a campaign for ever. An archived one stays as it is.',
  access: 'owner',
  target: CampaignRef,
  contract: campaignIdContract,
  codes: ['NOT_FOUND'],
  action: campaignArchive,
  payload: shown('The archived campaign.'),
});

mutation({
  name: 'campaignDuplicate',
  description: 'Makes a draft with the settings of a campaign, whatever that one’s status.',
  access: 'member',
  target: CampaignRef,
  contract: campaignIdContract,
  codes: ['NOT_FOUND', 'CAMPAIGN_TOO_LARGE', 'TOO_MANY_CAMPAIGNS'],
  action: campaignDuplicate,
  payload: shown('The new draft.'),
});
