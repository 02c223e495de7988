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
  description: 'The kind of a timeline item.',
  values: {
    EVENT: { value: 'EVENT' as TimelineKind, description: 'A `TimelineEvent`.' },
    DELIVERY: { value: 'DELIVERY' as TimelineKind, description: 'A `TimelineDelivery`.' },
    CARD: { value: 'CARD' as TimelineKind, description: 'A `TimelineCard`.' },
    IN_APP_EVENT: { value: 'IN_APP_EVENT' as TimelineKind, description: 'A `TimelineInAppEvent`.' },
    IN_APP_RESPONSE: {
      value: 'IN_APP_RESPONSE' as TimelineKind,
      description: 'A `TimelineInAppResponse`.',
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
  description: 'An item in the timeline of a person.',
  authScopes: { member: true },
  resolveType: ({ kind }) => TYPENAMES[kind],
  fields: t => ({
    kind: t.expose('kind', {
      type: TimelineKindEnum,
      nullable: false,
      description: 'The kind of the item.',
    }),
    at: t.field({
      type: 'DateTime',
      nullable: false,
      description:
        'For an event, its own `timestamp`; for other items, when the service recorded them.',
      resolve: ({ atMs }) => new Date(atMs),
    }),
  }),
});

// A field that two kinds share is nullable in both. Otherwise one query could not select it in
// both.
builder.objectRef<TimelineItem>('TimelineEvent').implement({
  description: 'An event in a timeline.',
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
  description: 'A message to the person, with its furthest status.',
  authScopes: { member: true },
  interfaces: [TimelineItemRef],
  fields: t => ({
    channel: t.exposeString('channel', { description: 'The channel, such as `push`.' }),
    status: t.exposeString('what', {
      nullable: false,
      description: 'The furthest status: `shown`, `dismissed` or `clicked`.',
    }),
    platform: t.string({
      description: 'The platform; null if unknown.',
      resolve: ({ platform }) => given(platform),
    }),
    campaignId: t.string({
      description: 'The campaign; null if unknown.',
      resolve: ({ campaignId }) => given(campaignId),
    }),
    messageId: t.string({
      description: 'The message; null if unknown.',
      resolve: ({ messageId }) => given(messageId),
    }),
    metadata: t.field({
      type: 'JSON',
      description: 'The metadata, as reported by the SDK.',
      resolve: ({ details }) => parsed(details),
    }),
  }),
});

builder.objectRef<TimelineItem>('TimelineCard').implement({
  description: 'A card in the activity feed.',
  authScopes: { member: true },
  interfaces: [TimelineItemRef],
  fields: t => ({
    cardKind: t.exposeString('what', {
      nullable: false,
      description: 'The kind of the activity, such as `push.clicked`.',
    }),
    channel: t.string({
      description: 'The channel, such as `push`.',
      resolve: ({ channel }) => given(channel),
    }),
    platform: t.string({
      description: 'The platform; null if unknown.',
      resolve: ({ platform }) => given(platform),
    }),
    campaignId: t.string({
      description: 'The campaign; null if unknown.',
      resolve: ({ campaignId }) => given(campaignId),
    }),
    messageId: t.string({
      description: 'The message; null if unknown.',
      resolve: ({ messageId }) => given(messageId),
    }),
    details: t.field({
      type: 'JSON',
      description: 'Additional details of the activity.',
      resolve: ({ details }) => parsed(details),
    }),
  }),
});

builder.objectRef<TimelineItem>('TimelineInAppEvent').implement({
  description: 'An interaction of the person with an in-app campaign.',
  authScopes: { member: true },
  interfaces: [TimelineItemRef],
  fields: t => ({
    eventType: t.exposeString('what', {
      nullable: false,
      description:
        'The interaction: `impression`, `clicked` or `dismissed`; `served` for journey widgets.',
    }),
    campaignId: t.exposeString('campaignId', { description: 'The campaign.' }),
    variantId: t.string({
      description: 'The variant that the person saw; null if the campaign has none.',
      resolve: ({ variantId }) => given(variantId),
    }),
    platform: t.string({
      description: 'The platform; null if unknown.',
      resolve: ({ platform }) => given(platform),
    }),
  }),
});

builder.objectRef<TimelineItem>('TimelineInAppResponse').implement({
  description: 'A response of the person to an in-app campaign.',
  authScopes: { member: true },
  interfaces: [TimelineItemRef],
  fields: t => ({
    responseType: t.exposeString('what', {
      nullable: false,
      description: 'The response type: `nps`, `poll`, `quiz`, `rating`, `form` or `countdown`.',
    }),
    campaignId: t.exposeString('campaignId', { description: 'The campaign.' }),
    variantId: t.string({
      description: 'The variant that the person saw; null if the campaign has none.',
      resolve: ({ variantId }) => given(variantId),
    }),
    platform: t.string({
      description: 'The platform; null if unknown.',
      resolve: ({ platform }) => given(platform),
    }),
    payload: t.field({
      type: 'JSON',
      description: 'The payload of the response, as sent.',
      resolve: ({ details }) => parsed(details),
    }),
    score: t.exposeFloat('score', {
      description: 'The score of the response; null if it has none.',
    }),
  }),
});

const TimelineItemConnection = connectionTypeBy('TimelineItem', TimelineItemRef, timelineCursor);

builder.queryField('userTimeline', t =>
  t.field({
    type: TimelineItemConnection,
    description:
      'The timeline of one person in the viewer’s workspace, newest first: events, messages, activity cards, and in-app interactions and responses.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, LIST_DAYS_MAX),
      ...pageArgs(t.arg),
      userId: t.arg.string({ description: 'The application’s user ID.' }),
      anonymousId: t.arg.string({
        description: 'The anonymous ID of a person who is not identified yet.',
      }),
    },
    complexity: reportPageCost(3),
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await userTimeline(context, args), args),
  }),
);
