import { JourneyRef, journeyById } from '../journeys/journey.graph.ts';
import { builder } from '../platform/graph/builder.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, type Fields, linked, ofInterface } from '../platform/graph/fields.ts';
import { listQuery, storedJson, texts, times } from '../platform/graph/report.ts';
import { parsed } from '../platform/graph/report-args.ts';
import type { ResolutionReason } from '../templates/resolve-version.ts';
import { TemplateVersionRef, templateVersionById } from '../templates/version.graph.ts';
import { EventRef } from './event.graph.ts';
import { SendReasonEnum } from './send.graph.ts';
import {
  type TimelineItem,
  type TimelineKind,
  timelineCursor,
  userTimeline,
} from './user-timeline.reads.ts';

const TYPENAMES = {
  EVENT: 'TimelineEvent',
  DELIVERY: 'TimelineDelivery',
  CARD: 'TimelineCard',
  IN_APP_EVENT: 'TimelineInAppEvent',
  IN_APP_RESPONSE: 'TimelineInAppResponse',
  SEND: 'TimelineSend',
} as const satisfies Record<TimelineKind, string>;

const TimelineKindEnum = describedEnum<TimelineKind>(
  'TimelineKind',
  'The kind of a timeline item.',
  {
    EVENT: 'A `TimelineEvent`.',
    DELIVERY: 'A `TimelineDelivery`.',
    CARD: 'A `TimelineCard`.',
    IN_APP_EVENT: 'A `TimelineInAppEvent`.',
    IN_APP_RESPONSE: 'A `TimelineInAppResponse`.',
    SEND: 'A `TimelineSend`.',
  },
);

const TimelineItemRef = builder.interfaceRef<TimelineItem>('TimelineItem').implement({
  description: 'An item in a person’s timeline.',
  authScopes: { member: true },
  resolveType: ({ kind }) => TYPENAMES[kind],
  fields: fields => {
    const t = ofInterface(fields);
    return {
      ...expose(t, TimelineKindEnum, { kind: 'The kind of the item.' }),
      ...times(t, {
        at: 'The time of the item: for an event, its `timestamp`; for any other item, the time at which the service recorded it.',
      }),
    };
  },
});

// A field that two kinds share is nullable in both. Otherwise one query could not select it in
// both.
function timelineType(
  kind: TimelineKind,
  description: string,
  fields: (t: Fields<TimelineItem>) => object,
): void {
  builder.objectRef<TimelineItem>(TYPENAMES[kind]).implement({
    description,
    authScopes: { member: true },
    interfaces: [TimelineItemRef],
    fields: t => fields(t as Fields<TimelineItem>) as Record<string, never>,
  });
}

const PLATFORM = 'The platform; null if unknown.';
const VARIANT = 'The ID of the variant that the person saw; null if the campaign has no variants.';

timelineType('EVENT', 'An event in a person’s timeline.', t => ({
  event: t.field({
    type: EventRef,
    nullable: false,
    description: 'The event.',
    resolve: ({ event }) => event!,
  }),
}));

timelineType('DELIVERY', 'A delivery to the person, with the furthest status it reached.', t => ({
  ...expose(t, 'String', { channel: 'The channel, such as `push`.' }),
  status: t.exposeString('what', {
    nullable: false,
    description: 'The furthest status that the message reached: `shown`, `dismissed` or `clicked`.',
  }),
  ...texts(t, {
    platform: PLATFORM,
    campaignId: 'The ID of the campaign; null if unknown.',
    messageId: 'The ID of the message; null if unknown.',
  }),
  metadata: t.field({
    type: 'JSON',
    description: 'The metadata, as reported by the SDK.',
    resolve: ({ details }) => parsed(details),
  }),
}));

timelineType('CARD', 'An activity card in the person’s timeline.', t => ({
  cardKind: t.exposeString('what', {
    nullable: false,
    description: 'The kind of activity, such as `push.clicked`.',
  }),
  ...texts(t, {
    channel: 'The channel, such as `push`; null if unknown.',
    platform: PLATFORM,
    campaignId: 'The ID of the campaign; null if unknown.',
    messageId: 'The ID of the message; null if unknown.',
  }),
  ...storedJson(t, { details: 'Details of the activity, which depend on `cardKind`.' }),
}));

timelineType('IN_APP_EVENT', 'The person’s interaction with an in-app campaign.', t => ({
  eventType: t.exposeString('what', {
    nullable: false,
    description:
      'The interaction: `impression`, `clicked` or `dismissed`. For a journey widget, it can also be `served`.',
  }),
  ...expose(t, 'String', { campaignId: 'The ID of the campaign.' }),
  ...texts(t, { variantId: VARIANT, platform: PLATFORM }),
}));

timelineType('IN_APP_RESPONSE', 'The person’s response to an in-app campaign.', t => ({
  responseType: t.exposeString('what', {
    nullable: false,
    description: 'The response type: `nps`, `poll`, `quiz`, `rating`, `form` or `countdown`.',
  }),
  ...expose(t, 'String', { campaignId: 'The ID of the campaign.' }),
  ...texts(t, { variantId: VARIANT, platform: PLATFORM }),
  payload: t.field({
    type: 'JSON',
    description: 'The payload of the response, as the SDK sent it.',
    resolve: ({ details }) => parsed(details),
  }),
  ...expose(t, 'Float', { score: 'The score of the response; null if it has none.' }),
}));

timelineType('SEND', 'A message that a journey sent to the person.', t => ({
  ...texts(t, { channel: 'The channel, such as `email`.' }),
  reason: t.field({
    type: SendReasonEnum,
    nullable: false,
    description: 'Why this version was chosen for the send.',
    resolve: ({ what }) => what as ResolutionReason,
  }),
  journey: linked(t, 'journeyId', JourneyRef, journeyById, 'The journey that sent the message.'),
  version: linked(
    t,
    'versionId',
    TemplateVersionRef,
    templateVersionById,
    'The version that was chosen for the send.',
  ),
}));

listQuery('userTimeline', {
  type: TimelineItemRef,
  description:
    'The timeline of one person in the viewer’s workspace, newest first: events, deliveries, activity cards, in-app interactions, in-app responses, and journey sends.',
  cursorOf: timelineCursor,
  args: arg => ({
    userId: arg.string({ description: 'The application’s user ID.' }),
    anonymousId: arg.string({
      description: 'The anonymous ID of a person who has not been identified yet.',
    }),
    kinds: arg({ type: [TimelineKindEnum], description: 'Filters by kind.' }),
  }),
  questions: 3,
  page: userTimeline,
});
