import { builder } from '../platform/graph/builder.ts';
import { connectionOfPage, connectionTypeBy, pageArgs } from '../platform/graph/connection.ts';
import { given, parsed, rangeArg, reportPageCost } from '../platform/graph/report-args.ts';
import { LIST_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import { EventRef } from './event.graph.ts';
import {
  type TimelineItem,
  type TimelineKind,
  timelineCursor,
  userTimeline,
} from './user-timeline.reads.ts';

const TimelineKindEnum = builder.enumType('TimelineKind', {
  description: 'What an item of a timeline is.',
  values: {
    EVENT: { value: 'EVENT' as TimelineKind, description: 'A TimelineEvent.' },
    DELIVERY: { value: 'DELIVERY' as TimelineKind, description: 'A TimelineDelivery.' },
    CARD: { value: 'CARD' as TimelineKind, description: 'A TimelineCard.' },
    IN_APP_EVENT: { value: 'IN_APP_EVENT' as TimelineKind, description: 'A TimelineInAppEvent.' },
    IN_APP_RESPONSE: {
      value: 'IN_APP_RESPONSE' as TimelineKind,
      description: 'A TimelineInAppResponse.',
    },
  },
});

const TYPENAMES: Readonly<Record<TimelineKind, string>> = {
  EVENT: 'TimelineEvent',
  DELIVERY: 'TimelineDelivery',
  CARD: 'TimelineCard',
  IN_APP_EVENT: 'TimelineInAppEvent',
  IN_APP_RESPONSE: 'TimelineInAppResponse',
};

const TimelineItemRef = builder.interfaceRef<TimelineItem>('TimelineItem').implement({
  description: 'Something that a person did, or that happened to them.',
  authScopes: { member: true },
  resolveType: ({ kind }) => TYPENAMES[kind],
  fields: t => ({
    kind: t.expose('kind', {
      type: TimelineKindEnum,
      nullable: false,
      description: 'What it is.',
    }),
    at: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'An event’s own `timestamp`; of the others, when we learned of it.',
      resolve: ({ atMs }) => new Date(atMs),
    }),
  }),
});

// What two kinds both have is nullable in both: else one query could not ask both for it.
builder.objectRef<TimelineItem>('TimelineEvent').implement({
  description: 'An event.',
  authScopes: { member: true },
  interfaces: [TimelineItemRef],
  fields: t => ({
    event: t.field({
      type: EventRef,
      nullable: false,
      description: 'The event.',
      resolve: ({ event }) => event!,
    }),
  }),
});

builder.objectRef<TimelineItem>('TimelineDelivery').implement({
  description: 'A message to the person, at the furthest that it came.',
  authScopes: { member: true },
  interfaces: [TimelineItemRef],
  fields: t => ({
    channel: t.exposeString('channel', { description: 'Such as push.' }),
    status: t.exposeString('what', {
      nullable: false,
      description: 'How far it came: shown, dismissed or clicked.',
    }),
    platform: t.string({ description: 'Where.', resolve: ({ platform }) => given(platform) }),
    campaignId: t.string({
      description: 'The campaign, where it is known.',
      resolve: ({ campaignId }) => given(campaignId),
    }),
    messageId: t.string({
      description: 'The message, where it is known.',
      resolve: ({ messageId }) => given(messageId),
    }),
    metadata: t.field({
      type: 'JSON',
      description: 'As reported.',
      resolve: ({ details }) => parsed(details),
    }),
  }),
});

builder.objectRef<TimelineItem>('TimelineCard').implement({
  description: 'A card of the activity feed.',
  authScopes: { member: true },
  interfaces: [TimelineItemRef],
  fields: t => ({
    cardKind: t.exposeString('what', {
      nullable: false,
      description: 'What happened, such as push.clicked.',
    }),
    channel: t.string({ description: 'Such as push.', resolve: ({ channel }) => given(channel) }),
    platform: t.string({ description: 'Where.', resolve: ({ platform }) => given(platform) }),
    campaignId: t.string({
      description: 'The campaign, where it is known.',
      resolve: ({ campaignId }) => given(campaignId),
    }),
    messageId: t.string({
      description: 'The message, where it is known.',
      resolve: ({ messageId }) => given(messageId),
    }),
    details: t.field({
      type: 'JSON',
      description: 'What else is known.',
      resolve: ({ details }) => parsed(details),
    }),
  }),
});

builder.objectRef<TimelineItem>('TimelineInAppEvent').implement({
  description: 'What the person did with an in-app campaign.',
  authScopes: { member: true },
  interfaces: [TimelineItemRef],
  fields: t => ({
    eventType: t.exposeString('what', {
      nullable: false,
      description: 'impression, clicked or dismissed; served for widgets of a journey.',
    }),
    campaignId: t.exposeString('campaignId', { description: 'The campaign.' }),
    variantId: t.string({
      description: 'The variant that they saw.',
      resolve: ({ variantId }) => given(variantId),
    }),
    platform: t.string({ description: 'Where.', resolve: ({ platform }) => given(platform) }),
  }),
});

builder.objectRef<TimelineItem>('TimelineInAppResponse').implement({
  description: 'What the person answered to an in-app campaign.',
  authScopes: { member: true },
  interfaces: [TimelineItemRef],
  fields: t => ({
    responseType: t.exposeString('what', {
      nullable: false,
      description: 'nps, poll, quiz, rating, form or countdown.',
    }),
    campaignId: t.exposeString('campaignId', { description: 'The campaign.' }),
    variantId: t.string({
      description: 'The variant that they saw.',
      resolve: ({ variantId }) => given(variantId),
    }),
    platform: t.string({ description: 'Where.', resolve: ({ platform }) => given(platform) }),
    payload: t.field({
      type: 'JSON',
      description: 'As answered.',
      resolve: ({ details }) => parsed(details),
    }),
    score: t.exposeFloat('score', { description: 'Of the answer, where it has one.' }),
  }),
});

const TimelineItemConnection = connectionTypeBy('TimelineItem', TimelineItemRef, timelineCursor);

builder.queryField('userTimeline', t =>
  t.field({
    type: TimelineItemConnection,
    description:
      'What one person did and what happened to them in the viewer’s workspace, newest first.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, LIST_DAYS_MAX),
      ...pageArgs(t.arg),
      userId: t.arg.string({ description: 'The application’s id of the person.' }),
      anonymousId: t.arg.string({ description: 'Or the SDK’s, of a person nobody knows yet.' }),
    },
    complexity: reportPageCost(3),
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await userTimeline(context, args), args),
  }),
);
