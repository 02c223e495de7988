import type { ObjectRef } from '@pothos/core';
import {
  AUDIENCE_LEVELS_MAX,
  type Audience,
  COMPARISONS_MAX,
} from '../../schema/campaign/audience.ts';
import { CAMPAIGN_TYPES, type Caps, type Variant } from '../../schema/campaign/campaign.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { reject } from '../platform/rejected.ts';
import { type AudienceSize, audienceSize, EXAMINED_MAX } from './audience-size.reads.ts';
import { Campaign } from './campaign.entity.ts';
import { campaignsByIds, campaignsPage } from './campaign.reads.ts';
import { capsOf } from './campaign.settings.ts';

export const campaignById = loaderById(campaignsByIds);

const CampaignStatusRef = builder.enumType('CampaignStatus', {
  description: 'The status of a campaign.',
  values: {
    DRAFT: { description: 'Not launched yet. Members can edit it.' },
    LIVE: { description: 'Shown between its start and its end.' },
    PAUSED: { description: 'Not shown until it is launched again.' },
    ARCHIVED: { description: 'Ended permanently.' },
  },
});

export const CampaignTypeRef = builder.enumType('CampaignType', {
  description: 'The display type of a campaign.',
  values: Object.fromEntries(
    CAMPAIGN_TYPES.map(type => [
      type.toUpperCase() as Uppercase<typeof type>,
      { value: type, description: `Displayed as ${type.replace('_', ' ')}.` },
    ]),
  ),
});

export const CampaignEndRef = builder.enumType('CampaignEnd', {
  description: 'An interaction after which a campaign is no longer shown to the person.',
  values: {
    CLICKED: { value: 'clicked', description: 'The person clicked the campaign.' },
    DISMISSED: { value: 'dismissed', description: 'The person dismissed the campaign.' },
  },
});

const CampaignCapsRef = builder.objectRef<Caps>('CampaignCaps').implement({
  description: 'The frequency caps of a campaign, per person; null fields are unlimited.',
  authScopes: { member: true },
  fields: t => ({
    totalMax: t.exposeInt('totalMax', { description: 'The maximum number of impressions.' }),
    windowMax: t.exposeInt('windowMax', {
      description: 'The maximum number of impressions within the window.',
    }),
    windowSeconds: t.exposeInt('windowSeconds', {
      description: 'The length of the sliding window, in seconds.',
    }),
    intervalSecondsMin: t.exposeInt('intervalSecondsMin', {
      description: 'The minimum number of seconds between two impressions.',
    }),
  }),
});

const CampaignVariantRef = builder
  .objectRef<Variant<Record<string, unknown>>>('CampaignVariant')
  .implement({
    description: 'A variant of an A/B test. A person always sees the same variant.',
    authScopes: { member: true },
    fields: t => ({
      id: t.exposeString('id', {
        nullable: false,
        description: 'The ID of the variant within the campaign.',
      }),
      weight: t.exposeFloat('weight', {
        nullable: false,
        description: 'The weight of the variant relative to the other variants.',
      }),
      content: t.field({
        type: 'JSON',
        description:
          'The content shown instead of the campaign’s content; null if the variant shows the campaign’s content.',
        resolve: ({ content }) => content ?? null,
      }),
    }),
  });

const AudienceSizeRef = builder.objectRef<AudienceSize>('AudienceSize').implement({
  description: 'The number of contacts that match an audience, among those examined.',
  authScopes: { member: true },
  fields: t => ({
    matching: t.exposeInt('matching', {
      nullable: false,
      description: 'The number of contacts that match.',
    }),
    examined: t.exposeInt('examined', {
      nullable: false,
      description: 'The number of contacts examined, newest first.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      nullable: false,
      description:
        'Whether all contacts were examined. If false, `matching` ÷ `examined` estimates the share among all contacts.',
    }),
  }),
});

/** The field reads thousands of rows. */
const AUDIENCE_SIZE_COST = 100;

export const CampaignRef: ObjectRef<SchemaTypes, Campaign> = builder.node(Campaign, {
  name: 'Campaign',
  description: 'An in-app campaign, shown to the people in its audience.',
  authScopes: { member: true },
  id: { resolve: campaign => campaign.id },
  loadOne: (id, graph) => campaignById(graph, id),
  fields: t => ({
    name: t.exposeString('name', { nullable: false, description: 'The name of the campaign.' }),
    sdkId: t.exposeString('id', {
      nullable: false,
      description: 'The ID that SDKs report. Pass it to `campaignFunnel` and `npsByDay`.',
    }),
    type: t.field({
      type: CampaignTypeRef,
      nullable: false,
      description: 'The display type of the campaign.',
      resolve: ({ type }) => type as (typeof CAMPAIGN_TYPES)[number],
    }),
    status: t.field({
      type: CampaignStatusRef,
      nullable: false,
      description: 'The status of the campaign.',
      resolve: ({ status }) => status,
    }),
    surfaces: t.exposeStringList('surfaces', {
      nullable: false,
      description: 'The surfaces that can show the campaign; empty if all surfaces can.',
    }),
    content: t.field({
      type: 'JSON',
      nullable: false,
      description: 'The content to display. Its shape depends on the type.',
      resolve: ({ content }) => content,
    }),
    priority: t.exposeInt('priority', {
      nullable: false,
      description: 'The priority. Campaigns with a higher priority are displayed first.',
    }),
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      description: 'When the campaign starts; null if it starts when it is launched.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      description: 'When the campaign ends; null if it has no end.',
    }),
    audience: t.field({
      type: 'JSON',
      description: `The audience rule: {"trait", "operator", "value"} comparisons nested in {"and"}, {"or"} and {"not"}, with at most ${AUDIENCE_LEVELS_MAX} levels and ${COMPARISONS_MAX} comparisons; null if the campaign is for everyone.`,
      resolve: ({ audience }) => audience,
    }),
    version: t.exposeInt('version', {
      nullable: false,
      description:
        'The version of the campaign, incremented by each change. An edit must name the version it is based on.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the campaign was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the campaign was last changed.',
    }),
  }),
});

builder.objectFields(CampaignRef, t => ({
  consentPurpose: t.exposeString('consentPurpose', {
    nullable: false,
    description: 'The purpose that a person must have consented to.',
  }),
  endsOn: t.field({
    type: [CampaignEndRef],
    nullable: false,
    description: 'The interactions that end the campaign for a person.',
    complexity: 0,
    resolve: ({ endsOn }) => endsOn as ('clicked' | 'dismissed')[],
  }),
  caps: t.field({
    type: CampaignCapsRef,
    nullable: false,
    description: 'The frequency caps of the campaign, per person.',
    resolve: capsOf,
  }),
  isCapExempt: t.exposeBoolean('isCapExempt', {
    nullable: false,
    description:
      'Whether the campaign ignores the caps of the workspace. Its impressions still count towards them.',
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
    description: 'The number of contacts in the audience, ignoring consent and caps.',
    complexity: AUDIENCE_SIZE_COST,
    args: {
      examinedMax: t.arg.int({
        description: `The maximum number of contacts to examine, from 1 to ${EXAMINED_MAX}. Defaults to ${EXAMINED_MAX}.`,
      }),
    },
    resolve: ({ audience }, { examinedMax }, { context }) => {
      const most = examinedMax ?? EXAMINED_MAX;
      if (most < 1 || most > EXAMINED_MAX)
        return reject('BAD_USER_INPUT', {
          field: ['examinedMax'],
          message: `examinedMax: must be between 1 and ${EXAMINED_MAX}.`,
        });
      return audienceSize(context, (audience ?? null) as Audience | null, most);
    },
  }),
}));

const CampaignConnection = connectionType('Campaign', CampaignRef);

builder.queryField('campaigns', t =>
  t.field({
    type: CampaignConnection,
    nullable: false,
    description: 'The campaigns of the viewer’s workspace.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: CampaignStatusRef, description: 'Filters by status.' }),
      type: t.arg({ type: CampaignTypeRef, description: 'Filters by display type.' }),
      surface: t.arg.string({
        description: 'Filters by surface. Includes campaigns for all surfaces.',
      }),
      search: t.arg.string({ description: 'Filters by part of the name, ignoring case.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { first, after, ...filter }, { context }) => {
      const page = { first, after };
      return connectionOfPage(await campaignsPage(context, page, filter), page);
    },
  }),
);

builder.queryField('campaign', t =>
  t.field({
    type: CampaignRef,
    description: 'A campaign of the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The global ID of the campaign.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Campaign' ? campaignById(graph, id.id) : null,
  }),
);
