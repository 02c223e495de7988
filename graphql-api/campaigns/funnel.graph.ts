import type { ArgBuilder } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { seriesQuery, texts } from '../platform/graph/report.ts';
import {
  type CampaignFunnelDay,
  campaignFunnel,
  type NpsDay,
  npsByDay,
  type PushFunnelDay,
  pushFunnel,
} from './funnel.reads.ts';

export const DAYS_COVERED = 'Covers all UTC days that the range overlaps.';
const DAYS = `${DAYS_COVERED} Days without data are omitted.`;

export const ofCampaign = (arg: ArgBuilder<SchemaTypes>) => ({
  campaignId: arg.string({ required: true, description: 'The campaign ID that SDKs report.' }),
});

const CampaignFunnelDayRef = memberObject<CampaignFunnelDay>('CampaignFunnelDay', {
  description: 'The results of one variant of an in-app campaign on one day (UTC).',
  fields: t => ({
    ...expose(t, 'Date!', { day: 'The day, in UTC.' }),
    ...texts(t, { variantId: 'The ID of the variant; null if the campaign has no variants.' }),
    ...expose(t, 'Int!', {
      impressions: 'The number of impressions.',
      clicks: 'The number of clicks.',
      dismissals: 'The number of dismissals.',
      peopleReached: 'The number of unique people who saw the campaign that day.',
      peopleClicked: 'The number of unique people who clicked the campaign that day.',
    }),
    ...expose(t, 'Float', {
      clickRate: 'The click rate: clicks ÷ impressions; null if there are no impressions.',
    }),
  }),
});

seriesQuery('campaignFunnel', {
  type: [CampaignFunnelDayRef],
  description: `The results of an in-app campaign in the viewer’s workspace, by day and variant. ${DAYS}`,
  args: ofCampaign,
  read: campaignFunnel,
});

const NpsDayRef = memberObject<NpsDay>('NpsDay', {
  description: 'The responses to an NPS campaign on one day (UTC).',
  fields: t => ({
    ...expose(t, 'Date!', { day: 'The day, in UTC.' }),
    ...expose(t, 'Int!', {
      responses: 'The number of responses.',
      promoters: 'The number of responses with a score of 9 or 10.',
      passives: 'The number of responses with a score of 7 or 8.',
      detractors: 'The number of responses with a score from 0 to 6.',
    }),
    ...expose(t, 'Float', {
      averageScore: 'The average score of all responses.',
      nps: 'The net promoter score, from -100 to 100: the percentage of promoters minus the percentage of detractors.',
    }),
  }),
});

seriesQuery('npsByDay', {
  type: [NpsDayRef],
  description: `The net promoter score of a campaign in the viewer’s workspace, by day. ${DAYS}`,
  args: ofCampaign,
  read: npsByDay,
});

const PushFunnelDayRef = memberObject<PushFunnelDay>('PushFunnelDay', {
  description: 'The results of push deliveries to one platform on one day (UTC).',
  fields: t => ({
    ...expose(t, 'Date!', {
      day: 'The day, in UTC, on which the deliveries reached their furthest status: shown, dismissed or clicked.',
    }),
    ...expose(t, 'String!', { platform: 'The platform: `web`, `ios` or `android`.' }),
    ...expose(t, 'Int!', {
      reached: 'The number of deliveries that were shown.',
      clicked: 'The number of deliveries that were shown and then clicked.',
      dismissed: 'The number of deliveries that were shown and then dismissed.',
    }),
    ...expose(t, 'Float!', { clickRate: 'The click rate: `clicked` ÷ `reached`.' }),
  }),
});

seriesQuery('pushFunnel', {
  type: [PushFunnelDayRef],
  description: `The results of push deliveries in the viewer’s workspace, by day and platform. ${DAYS}`,
  args: arg => ({
    campaignId: arg.string({ description: 'Filters by the campaign ID that SDKs report.' }),
  }),
  read: pushFunnel,
});
