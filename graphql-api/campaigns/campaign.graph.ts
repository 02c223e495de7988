import type { ObjectRef } from '@pothos/core';
import { AUDIENCE_CONDITIONS_MAX, AUDIENCE_LEVELS_MAX } from '../../schema/campaign/audience.ts';
import type { CAMPAIGN_TYPES, Caps, Variant } from '../../schema/campaign/campaign.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum, uppercaseEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode, memberObject, nodeQuery } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import {
  AUDIENCE_SIZE_COST,
  AudienceSizeRef,
  audienceSizeArgs,
  audienceSizeOf,
} from './audience-size.graph.ts';
import type { Campaign } from './campaign.entity.ts';
import { campaignsByIds, campaignsPage } from './campaign.reads.ts';
import { capsOf } from './campaign.settings.ts';

export const campaignById = loaderById(campaignsByIds);

const CampaignStatusRef = describedEnum('CampaignStatus', 'The status of a campaign.', {
  DRAFT: 'The campaign has not been launched yet. Members can edit it.',
  LIVE: 'The campaign is shown between its start and end times.',
  PAUSED: 'The campaign is not shown until it is launched again.',
  ARCHIVED: 'The campaign has ended permanently.',
});

export const CampaignTypeRef = uppercaseEnum<(typeof CAMPAIGN_TYPES)[number]>(
  'CampaignType',
  'The display type of a campaign.',
  {
    banner: 'A banner.',
    modal: 'A modal dialog.',
    fullscreen: 'A full-screen message.',
    slide_up: 'A panel that slides up.',
    tooltip: 'A tooltip.',
    nps: 'A net promoter score (NPS) survey.',
    poll: 'A poll.',
    quiz: 'A quiz.',
    rating: 'A rating prompt.',
    form: 'A form.',
    countdown: 'A countdown.',
  },
);

export const CampaignEndRef = uppercaseEnum(
  'CampaignEnd',
  'An interaction after which a person no longer sees the campaign.',
  { clicked: 'The person clicked the campaign.', dismissed: 'The person dismissed the campaign.' },
);

const CampaignCapsRef = memberObject<Caps>('CampaignCaps', {
  description: 'The frequency caps of a campaign, per person. A null field sets no limit.',
  fields: t =>
    expose(t, 'Int', {
      totalMax: 'The maximum number of impressions.',
      windowMax: 'The maximum number of impressions within the window.',
      windowSeconds: 'The length of the sliding window, in seconds.',
      intervalSecondsMin: 'The minimum number of seconds between two impressions.',
    }),
});

const CampaignVariantRef = builder
  .objectRef<Variant<Record<string, unknown>>>('CampaignVariant')
  .implement({
    description: 'A variant of an A/B test. Each person always sees the same variant.',
    authScopes: { member: true },
    fields: t => ({
      ...expose(t, 'String!', { id: 'The ID of the variant within the campaign.' }),
      ...expose(t, 'Float!', {
        weight: 'The weight of the variant relative to the other variants.',
      }),
      ...expose(t, 'JSON', {
        content:
          'The content shown instead of the campaign’s content; null if the variant shows the campaign’s content.',
      }),
    }),
  });

export const CampaignRef: ObjectRef<SchemaTypes, Campaign> = memberNode('Campaign', campaignById, {
  description: 'An in-app campaign, shown to the people in its audience.',
  fields: t => ({
    sdkId: t.exposeString('id', {
      nullable: false,
      description: 'The campaign ID that SDKs report. Pass it to `campaignFunnel` and `npsByDay`.',
    }),
    ...expose(t, 'String!', {
      name: 'The name of the campaign.',
      consentPurpose:
        'The consent purpose of the campaign. The campaign is shown only to people who consented to this purpose. For `service` and `transactional`, it is enough that they have not denied consent.',
    }),
    type: t.field({
      type: CampaignTypeRef,
      nullable: false,
      description: 'The display type of the campaign.',
      resolve: ({ type }) => type as (typeof CAMPAIGN_TYPES)[number],
    }),
    ...expose(t, CampaignStatusRef, { status: 'The status of the campaign.' }),
    ...expose(t, '[String!]!', {
      surfaces: 'The surfaces that can show the campaign; empty if all surfaces can show it.',
    }),
    ...expose(t, 'JSON!', {
      content: 'The content to display. Its shape depends on the campaign’s type.',
    }),
    ...expose(t, 'JSON', {
      audience: `The audience rule; null if the campaign is for everyone. A rule consists of {"trait", "operator", "value"} comparisons and {"segment_id"} memberships, combined with {"and"}, {"or"} and {"not"}. It has at most ${AUDIENCE_LEVELS_MAX} levels and ${AUDIENCE_CONDITIONS_MAX} conditions.`,
    }),
    ...expose(t, 'DateTime', {
      startsAt: 'When the campaign starts; null if it starts when it is launched.',
      endsAt: 'When the campaign ends; null if it has no end.',
    }),
    ...expose(t, 'DateTime!', {
      createdAt: 'When the campaign was created.',
      updatedAt: 'When the campaign was last changed.',
    }),
    ...expose(t, 'Int!', {
      priority: 'The priority. Campaigns with a higher priority are displayed first.',
      version:
        'The version of the campaign, incremented on each change. An update must include the version that it is based on.',
    }),
    ...expose(t, 'Boolean!', {
      isCapExempt:
        'Whether the campaign ignores the caps of the workspace. Impressions of the campaign still count toward these caps.',
    }),
  }),
});

builder.objectFields(CampaignRef, t => ({
  endsOn: t.field({
    type: [CampaignEndRef],
    nullable: false,
    description: 'The interactions after which a person no longer sees the campaign.',
    complexity: 0,
    resolve: ({ endsOn }) => endsOn as ('clicked' | 'dismissed')[],
  }),
  caps: t.field({
    type: CampaignCapsRef,
    nullable: false,
    description: 'The frequency caps of the campaign, per person.',
    resolve: capsOf,
  }),
  variants: t.field({
    type: [CampaignVariantRef],
    nullable: false,
    description: 'The variants of the A/B test; empty if everyone sees the same content.',
    // The variants are loaded with the campaign, and there are few of them.
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ variants }) => variants as Variant<Record<string, unknown>>[],
  }),
  audienceSize: t.field({
    type: AudienceSizeRef,
    nullable: false,
    description: 'The number of contacts in the audience, regardless of caps.',
    complexity: AUDIENCE_SIZE_COST,
    args: audienceSizeArgs(t.arg),
    resolve: ({ audience, consentPurpose }, { examinedMax }, { context }) =>
      audienceSizeOf(context, { audience, consentPurpose, examinedMax }),
  }),
}));

const CampaignConnection = connectionType('Campaign', CampaignRef);

pageQuery('campaigns', {
  type: CampaignConnection,
  description: 'The campaigns in the viewer’s workspace.',
  args: arg => ({
    status: arg({ type: CampaignStatusRef, description: 'Filters by status.' }),
    type: arg({ type: CampaignTypeRef, description: 'Filters by display type.' }),
    surface: arg.string({
      description:
        'Filters by surface. Campaigns that are not limited to specific surfaces are always included.',
    }),
    search: arg.string({ description: 'Filters by part of the name, ignoring case.' }),
  }),
  page: campaignsPage,
});

nodeQuery('campaign', CampaignRef, campaignById, {
  description: 'A campaign in the viewer’s workspace; null if it does not exist.',
  id: 'The global ID of the campaign.',
});
