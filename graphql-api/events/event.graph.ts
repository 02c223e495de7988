import { builder } from '../platform/graph/builder.ts';
import { expose, linked, memberObject } from '../platform/graph/fields.ts';
import { listQuery, storedJson, texts, times } from '../platform/graph/report.ts';
import { EventTypeEnum } from '../platform/graph/report-args.ts';
import { SdkKeyRef, sdkKeyById } from '../tenancy/sdk-key.graph.ts';
import { APART_DAYS_MAX } from './arrival.ts';
import { type EventTime, eventPosition, latestEvents, type StoredEvent } from './event.reads.ts';

export const EventRef = memberObject<StoredEvent>('Event', {
  description: 'A deduplicated event that an SDK sent.',
  fields: t => ({
    ...expose(t, 'String!', { messageId: 'The unique ID that the SDK assigned to the event.' }),
    ...expose(t, EventTypeEnum, { type: 'The event type.' }),
    ...texts(t, {
      event: 'The name of the event; null if it has none.',
      name: 'The name of the page or screen; null if it has none.',
      anonymousId: 'The anonymous ID that the SDK generated for the person; null if there is none.',
      userId: 'The application’s user ID; null if unknown.',
      sessionId: 'The session ID that the SDK assigned; null if there is none.',
    }),
    ...times(t, {
      timestamp: 'When the event occurred, according to the client’s clock.',
      correctedAt: '`timestamp`, corrected if the client’s clock was off by more than 5 minutes.',
      sentAt: 'When the SDK sent the event, according to the client’s clock.',
      receivedAt: 'When the event was received, according to the server’s clock.',
    }),
    ...storedJson(t, {
      properties: 'The `properties` object, as the SDK sent it.',
      traits: 'The `traits` object, as the SDK sent it.',
      context: 'The `context` object, as the SDK sent it.',
      extra: 'The event’s fields that have no column of their own, such as `groupId`.',
    }),
    sdkKey: linked(
      t,
      'sdkKeyId',
      SdkKeyRef,
      sdkKeyById,
      'The SDK key that the event was sent with.',
    ),
  }),
});

const EventTimeEnum = builder.enumType('EventTime', {
  description: 'The time by which events are selected and sorted.',
  values: {
    TIMESTAMP: {
      value: 'timestamp' as EventTime,
      description: 'When the event occurred, according to the client’s clock: its `timestamp`.',
    },
    RECEIVED_AT: {
      value: 'receivedAt' as EventTime,
      description: `When the event was received, according to the server’s clock: its \`receivedAt\`. Events whose \`timestamp\` is more than ${APART_DAYS_MAX} days before or after \`receivedAt\` are excluded.`,
    },
  },
});

listQuery('events', {
  type: EventRef,
  description:
    'The events in the viewer’s workspace, newest first by `timestamp` or, if `time` is `RECEIVED_AT`, by `receivedAt`.',
  cursorOf: eventPosition,
  args: arg => ({
    time: arg({
      type: EventTimeEnum,
      required: true,
      defaultValue: 'timestamp',
      description: 'The time that `range` and the sort order refer to.',
    }),
    types: arg({ type: [EventTypeEnum], description: 'Filters by event type.' }),
    names: arg.stringList({
      description: 'Filters by the name of the event, page or screen. At most 50 names.',
    }),
    userId: arg.string({ description: 'Filters by user ID.' }),
    anonymousId: arg.string({ description: 'Filters by anonymous ID.' }),
    messageId: arg.string({ description: 'Filters by message ID.' }),
  }),
  questions: 2,
  page: (context, input) => latestEvents(context, input),
});
