import { builder } from '../platform/graph/builder.ts';
import { given, rangeArg, reportCost } from '../platform/graph/report-args.ts';
import { SERIES_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import { type CampaignFunnelDay, campaignFunnel } from './campaign-funnel.reads.ts';
import { type NpsDay, npsByDay } from './nps-by-day.reads.ts';
import { type PushFunnelDay, pushFunnel } from './push-funnel.reads.ts';

const DAYS = 'Covers the days (UTC) that the range touches; days without data are omitted.';
const CAMPAIGN = 'The campaign ID that SDKs report.';

const CampaignFunnelDayRef = builder.objectRef<CampaignFunnelDay>('CampaignFunnelDay').implement({
  description: 'The results of one variant of an in-app campaign on one day (UTC).',
  authScopes: { member: true },
  fields: t => ({
    day: t.expose('day', { type: 'Date', nullable: false, description: 'The day, in UTC.' }),
    variantId: t.string({
      description: 'The ID of the variant; null if the campaign has no variants.',
      resolve: ({ variantId }) => given(variantId),
    }),
    impressions: t.exposeInt('impressions', {
      nullable: false,
      description: 'The number of impressions.',
    }),
    clicks: t.exposeInt('clicks', { nullable: false, description: 'The number of clicks.' }),
    dismissals: t.exposeInt('dismissals', {
      nullable: false,
      description: 'The number of dismissals.',
    }),
    peopleReached: t.exposeInt('peopleReached', {
      nullable: false,
      description: 'The number of unique people who saw the campaign that day.',
    }),
    peopleClicked: t.exposeInt('peopleClicked', {
      nullable: false,
      description: 'The number of unique people who clicked the campaign that day.',
    }),
    clickRate: t.exposeFloat('clickRate', {
      description: 'Click rate: clicks ÷ impressions; null if there are no impressions.',
    }),
  }),
});

builder.queryField('campaignFunnel', t =>
  t.field({
    type: [CampaignFunnelDayRef],
    description: `The results of an in-app campaign of the viewer’s workspace, by day and variant. ${DAYS}`,
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
  description: 'The responses to an NPS campaign on one day (UTC).',
  authScopes: { member: true },
  fields: t => ({
    day: t.expose('day', { type: 'Date', nullable: false, description: 'The day, in UTC.' }),
    responses: t.exposeInt('responses', {
      nullable: false,
      description: 'The number of responses.',
    }),
    promoters: t.exposeInt('promoters', {
      nullable: false,
      description: 'The number of responses with a score of 9 or 10.',
    }),
    passives: t.exposeInt('passives', {
      nullable: false,
      description: 'The number of responses with a score of 7 or 8.',
    }),
    detractors: t.exposeInt('detractors', {
      nullable: false,
      description: 'The number of responses with a score from 0 to 6.',
    }),
    averageScore: t.exposeFloat('averageScore', {
      description: 'The average score of all responses.',
    }),
    nps: t.exposeFloat('nps', {
      description:
        'The net promoter score, from -100 to 100: the percentage of promoters minus the percentage of detractors.',
    }),
  }),
});

builder.queryField('npsByDay', t =>
  t.field({
    type: [NpsDayRef],
    description: `The net promoter score of a campaign of the viewer’s workspace, by day. ${DAYS}`,
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
  description: 'The results of push deliveries to one platform on one day (UTC).',
  authScopes: { member: true },
  fields: t => ({
    day: t.expose('day', {
      type: 'Date',
      nullable: false,
      description: 'The day, in UTC, on which the deliveries reached their furthest status.',
    }),
    platform: t.exposeString('platform', {
      nullable: false,
      description: 'The platform: `web`, `ios` or `android`.',
    }),
    reached: t.exposeInt('reached', {
      nullable: false,
      description: 'The number of deliveries that were shown.',
    }),
    clicked: t.exposeInt('clicked', {
      nullable: false,
      description: 'The number of shown deliveries that were clicked.',
    }),
    dismissed: t.exposeInt('dismissed', {
      nullable: false,
      description: 'The number of shown deliveries that were dismissed.',
    }),
    clickRate: t.exposeFloat('clickRate', {
      nullable: false,
      description: 'Click rate: `clicked` ÷ `reached`.',
    }),
  }),
});

builder.queryField('pushFunnel', t =>
  t.field({
    type: [PushFunnelDayRef],
    description: `The results of push deliveries of the viewer’s workspace, by day and platform. ${DAYS}`,
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, SERIES_DAYS_MAX),
      campaignId: t.arg.string({ description: `Filters by campaign. ${CAMPAIGN}` }),
    },
    complexity: reportCost(1),
    resolve: (_root, args, { context }) => pushFunnel(context, args),
  }),
);
