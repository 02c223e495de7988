import { builder } from '../platform/graph/builder.ts';
import { given, rangeArg, reportCost } from '../platform/graph/report-args.ts';
import { SERIES_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import { type CampaignFunnelDay, campaignFunnel } from './campaign-funnel.reads.ts';
import { type NpsDay, npsByDay } from './nps-by-day.reads.ts';
import { type PushFunnelDay, pushFunnel } from './push-funnel.reads.ts';

const DAYS = 'The days (UTC) that the range touches, those without anything left out.';
const CAMPAIGN = 'The campaign’s id as SDKs report it.';

const CampaignFunnelDayRef = builder.objectRef<CampaignFunnelDay>('CampaignFunnelDay').implement({
  description: 'How an in-app campaign did on a day (UTC), with one variant.',
  authScopes: { member: true },
  fields: t => ({
    day: t.expose('day', { type: 'Date', nullable: false, description: 'In UTC.' }),
    variantId: t.string({
      description: 'Null where the campaign has no variants.',
      resolve: ({ variantId }) => given(variantId),
    }),
    impressions: t.exposeInt('impressions', { nullable: false, description: 'Times seen.' }),
    clicks: t.exposeInt('clicks', { nullable: false, description: 'Times clicked.' }),
    dismissals: t.exposeInt('dismissals', { nullable: false, description: 'Times dismissed.' }),
    peopleReached: t.exposeInt('peopleReached', {
      nullable: false,
      description: 'Different people who saw it that day.',
    }),
    peopleClicked: t.exposeInt('peopleClicked', {
      nullable: false,
      description: 'Different people who clicked it that day.',
    }),
    clickRate: t.exposeFloat('clickRate', {
      description: 'Clicks by impressions; null without any.',
    }),
  }),
});

builder.queryField('campaignFunnel', t =>
  t.field({
    type: [CampaignFunnelDayRef],
    description: `How an in-app campaign of the viewer’s workspace does, by day and variant. ${DAYS}`,
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, SERIES_DAYS_MAX),
      campaignId: t.arg.string({ required: true, description: CAMPAIGN }),
    },
    complexity: reportCost(1),
    resolve: (_root, args, { context }) => campaignFunnel(context, args),
  }),
);

const NpsDayRef = builder.objectRef<NpsDay>('NpsDay').implement({
  description: 'What people answered to an NPS campaign on a day (UTC).',
  authScopes: { member: true },
  fields: t => ({
    day: t.expose('day', { type: 'Date', nullable: false, description: 'In UTC.' }),
    responses: t.exposeInt('responses', { nullable: false, description: 'Answers.' }),
    promoters: t.exposeInt('promoters', { nullable: false, description: 'Of 9 and 10.' }),
    passives: t.exposeInt('passives', { nullable: false, description: 'Of 7 and 8.' }),
    detractors: t.exposeInt('detractors', { nullable: false, description: 'Of 0 to 6.' }),
    averageScore: t.exposeFloat('averageScore', { description: 'Of all answers.' }),
    nps: t.exposeFloat('nps', {
      description: 'The share of promoters less that of detractors, -100 to 100.',
    }),
  }),
});

builder.queryField('npsByDay', t =>
  t.field({
    type: [NpsDayRef],
    description: `The net promoter score of a campaign of the viewer’s workspace. ${DAYS}`,
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, SERIES_DAYS_MAX),
      campaignId: t.arg.string({ required: true, description: CAMPAIGN }),
    },
    complexity: reportCost(1),
    resolve: (_root, args, { context }) => npsByDay(context, args),
  }),
);

const PushFunnelDayRef = builder.objectRef<PushFunnelDay>('PushFunnelDay').implement({
  description: 'How pushes to one platform did on a day (UTC).',
  authScopes: { member: true },
  fields: t => ({
    day: t.expose('day', {
      type: 'Date',
      nullable: false,
      description: 'In UTC; on which a delivery came as far as it did.',
    }),
    platform: t.exposeString('platform', {
      nullable: false,
      description: 'web, ios or android.',
    }),
    reached: t.exposeInt('reached', { nullable: false, description: 'Deliveries that were seen.' }),
    clicked: t.exposeInt('clicked', { nullable: false, description: 'Of these, clicked.' }),
    dismissed: t.exposeInt('dismissed', { nullable: false, description: 'Of these, dismissed.' }),
    clickRate: t.exposeFloat('clickRate', {
      nullable: false,
      description: 'Clicked by reached.',
    }),
  }),
});

builder.queryField('pushFunnel', t =>
  t.field({
    type: [PushFunnelDayRef],
    description: `How pushes of the viewer’s workspace do, by day and platform. ${DAYS}`,
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, SERIES_DAYS_MAX),
      campaignId: t.arg.string({ description: `Only of one. ${CAMPAIGN}` }),
    },
    complexity: reportCost(1),
    resolve: (_root, args, { context }) => pushFunnel(context, args),
  }),
);
