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
  description: 'Whether a campaign is shown.',
  values: {
    DRAFT: { description: 'Not launched yet; members may edit it.' },
    LIVE: { description: 'Shown, from its start to its end.' },
    PAUSED: { description: 'Shown to nobody until it is launched again.' },
    ARCHIVED: { description: 'Ended for ever.' },
  },
});

export const CampaignTypeRef = builder.enumType('CampaignType', {
  description: 'How a campaign is displayed.',
  values: Object.fromEntries(
    CAMPAIGN_TYPES.map(type => [
      type.toUpperCase() as Uppercase<typeof type>,
      { value: type, description: `Displayed as ${type.replace('_', ' ')}.` },
    ]),
  ),
});

export const CampaignEndRef = builder.enumType('CampaignEnd', {
  description: 'What a person may do that ends a campaign for them.',
  values: {
    CLICKED: { value: 'clicked', description: 'They clicked it.' },
    DISMISSED: { value: 'dismissed', description: 'They dismissed it.' },
  },
});

const CampaignCapsRef = builder.objectRef<Caps>('CampaignCaps').implement({
  description: 'How often one person is shown a campaign; null is unlimited.',
  authScopes: { member: true },
  fields: t => ({
    totalMax: t.exposeInt('totalMax', { description: 'Impressions in all.' }),
    windowMax: t.exposeInt('windowMax', { description: 'Impressions within the window.' }),
    windowSeconds: t.exposeInt('windowSeconds', {
      description: 'The length of the window, which ends now.',
    }),
    intervalSecondsMin: t.exposeInt('intervalSecondsMin', {
      description: 'Seconds between two impressions.',
    }),
  }),
});

const CampaignVariantRef = builder
  .objectRef<Variant<Record<string, unknown>>>('CampaignVariant')
  .implement({
    description: 'One side of an A/B test; each person sees the same one each time.',
    authScopes: { member: true },
    fields: t => ({
      id: t.exposeString('id', { nullable: false, description: 'Its id within the campaign.' }),
      weight: t.exposeFloat('weight', {
        nullable: false,
        description: 'Its share of the people, beside the others’ weights.',
      }),
      content: t.field({
        type: 'JSON',
        description: 'In place of the campaign’s own; null where that is shown.',
        resolve: ({ content }) => content ?? null,
      }),
    }),
  });

const AudienceSizeRef = builder.objectRef<AudienceSize>('AudienceSize').implement({
  description: 'How many contacts match an audience, of those that were looked at.',
  authScopes: { member: true },
  fields: t => ({
    matching: t.exposeInt('matching', { nullable: false, description: 'How many match.' }),
    examined: t.exposeInt('examined', {
      nullable: false,
      description: 'How many were looked at, the newest first.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      nullable: false,
      description:
        'Whether those are all; else the share among them is an estimate for the others.',
    }),
  }),
});

/** It reads thousands of rows. */
const AUDIENCE_SIZE_COST = 100;

export const CampaignRef: ObjectRef<SchemaTypes, Campaign> = builder.node(Campaign, {
  name: 'Campaign',
  description: 'Something that is shown in-app to those of an audience.',
  authScopes: { member: true },
  id: { resolve: campaign => campaign.id },
  loadOne: (id, graph) => campaignById(graph, id),
  fields: t => ({
    name: t.exposeString('name', { nullable: false, description: 'What people call it.' }),
    sdkId: t.exposeString('id', {
      nullable: false,
      description: 'Its id as SDKs report it, by which `campaignFunnel` and `npsByDay` ask.',
    }),
    type: t.field({
      type: CampaignTypeRef,
      nullable: false,
      description: 'How it is displayed.',
      resolve: ({ type }) => type as (typeof CAMPAIGN_TYPES)[number],
    }),
    status: t.field({
      type: CampaignStatusRef,
      nullable: false,
      description: 'Whether it is shown.',
      resolve: ({ status }) => status,
    }),
    surfaces: t.exposeStringList('surfaces', {
      nullable: false,
      description: 'Where it may be shown; empty is everywhere.',
    }),
    content: t.field({
      type: 'JSON',
      nullable: false,
      description: 'What is displayed; its shape depends on the type.',
      resolve: ({ content }) => content,
    }),
    priority: t.exposeInt('priority', { nullable: false, description: 'The highest comes first.' }),
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      description: 'Not shown before; null is as soon as it is live.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      description: 'Not shown from then on; null is without an end.',
    }),
    audience: t.field({
      type: 'JSON',
      description: `Whom it is for: {"trait", "operator", "value"} within {"and"}, {"or"}, {"not"}, ${AUDIENCE_LEVELS_MAX} levels and ${COMPARISONS_MAX} comparisons at most; null is everybody.`,
      resolve: ({ audience }) => audience,
    }),
    version: t.exposeInt('version', {
      nullable: false,
      description: 'Goes up with each change; an edit names the one that it changes.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was made.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was changed last.',
    }),
  }),
});

builder.objectFields(CampaignRef, t => ({
  consentPurpose: t.exposeString('consentPurpose', {
    nullable: false,
    description: 'What a person must have agreed to.',
  }),
  endsOn: t.field({
    type: [CampaignEndRef],
    nullable: false,
    description: 'What ends it for a person.',
    complexity: 0,
    resolve: ({ endsOn }) => endsOn as ('clicked' | 'dismissed')[],
  }),
  caps: t.field({
    type: CampaignCapsRef,
    nullable: false,
    description: 'How often one person is shown it.',
    resolve: capsOf,
  }),
  isCapExempt: t.exposeBoolean('isCapExempt', {
    nullable: false,
    description: 'Shown whatever the workspace’s caps say; it still counts towards them.',
  }),
  variants: t.field({
    type: [CampaignVariantRef],
    nullable: false,
    description: 'The sides of an A/B test; empty when everybody sees the same.',
    // They come with the campaign, and are few.
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ variants }) => variants as Variant<Record<string, unknown>>[],
  }),
  audienceSize: t.field({
    type: AudienceSizeRef,
    nullable: false,
    description: 'How many contacts are in its audience, consents and caps left aside.',
    complexity: AUDIENCE_SIZE_COST,
    args: {
      examinedMax: t.arg.int({
        description: `How many contacts to look at: 1 to ${EXAMINED_MAX}, which it is unless said.`,
      }),
    },
    resolve: ({ audience }, { examinedMax }, { context }) => {
      const most = examinedMax ?? EXAMINED_MAX;
      if (most < 1 || most > EXAMINED_MAX)
        return reject('BAD_USER_INPUT', {
          field: ['examinedMax'],
          message: `examinedMax: must be 1 to ${EXAMINED_MAX}.`,
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
      status: t.arg({ type: CampaignStatusRef, description: 'Only those of this status.' }),
      type: t.arg({ type: CampaignTypeRef, description: 'Only those of this type.' }),
      surface: t.arg.string({ description: 'Only those that may be shown there.' }),
      search: t.arg.string({ description: 'Only those with this in their name.' }),
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
    description: 'A campaign of the viewer’s workspace; null where there is none.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'Its global id.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Campaign' ? campaignById(graph, id.id) : null,
  }),
);
