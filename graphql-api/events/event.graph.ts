import { builder } from '../platform/graph/builder.ts';
import { connectionOfPage, connectionTypeBy, pageArgs } from '../platform/graph/connection.ts';
import {
  EventTypeEnum,
  given,
  parsed,
  rangeArg,
  reportPageCost,
} from '../platform/graph/report-args.ts';
import { LIST_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import { SdkKeyRef, sdkKeyById } from '../tenancy/sdk-key.graph.ts';
import { eventCursor, latestEvents, type StoredEvent } from './event.reads.ts';

export const EventRef = builder.objectRef<StoredEvent>('Event').implement({
  description: 'A deduplicated event that an SDK sent.',
  authScopes: { member: true },
  fields: t => ({
    messageId: t.exposeString('messageId', { nullable: false, description: 'The SDK’s event ID.' }),
    type: t.expose('type', { type: EventTypeEnum, nullable: false, description: 'The type.' }),
    event: t.string({
      description: 'The name of the event; null if it has none.',
      resolve: ({ event }) => given(event),
    }),
    name: t.string({
      description: 'The name of the page or screen; null if it has none.',
      resolve: ({ name }) => given(name),
    }),
    timestamp: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the event occurred, by the client’s clock.',
      resolve: ({ timestampMs }) => new Date(timestampMs),
    }),
    correctedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: '`timestamp`, corrected if the client’s clock was off by more than 5 minutes.',
      resolve: ({ correctedAtMs }) => new Date(correctedAtMs),
    }),
    sentAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the SDK sent the event, by the client’s clock.',
      resolve: ({ sentAtMs }) => new Date(sentAtMs),
    }),
    receivedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the event was received, by the server’s clock.',
      resolve: ({ receivedAtMs }) => new Date(receivedAtMs),
    }),
    anonymousId: t.string({
      description: 'The anonymous ID that the SDK generated for the person; null if none.',
      resolve: ({ anonymousId }) => given(anonymousId),
    }),
    userId: t.string({
      description: 'The application’s user ID; null if unknown.',
      resolve: ({ userId }) => given(userId),
    }),
    sessionId: t.string({
      description: 'The session ID of the SDK; null if none.',
      resolve: ({ sessionId }) => given(sessionId),
    }),
    properties: t.field({
      type: 'JSON',
      description: 'The properties, as sent.',
      resolve: ({ properties }) => parsed(properties),
    }),
    traits: t.field({
      type: 'JSON',
      description: 'The traits, as sent.',
      resolve: ({ traits }) => parsed(traits),
    }),
    context: t.field({
      type: 'JSON',
      description: 'The context, as sent.',
      resolve: ({ context }) => parsed(context),
    }),
    extra: t.field({
      type: 'JSON',
      description: 'Other fields of the event that are not part of the schema.',
      resolve: ({ extra }) => parsed(extra),
    }),
    sdkKey: t.field({
      type: SdkKeyRef,
      description: 'The SDK key that the event was sent with.',
      resolve: ({ sdkKeyId }, _args, graph) => sdkKeyById(graph, sdkKeyId),
    }),
  }),
});

const EventConnection = connectionTypeBy('Event', EventRef, eventCursor);

builder.queryField('events', t =>
  t.field({
    type: EventConnection,
    description: 'The events of the viewer’s workspace, newest first by their own `timestamp`.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, LIST_DAYS_MAX),
      ...pageArgs(t.arg),
      types: t.arg({ type: [EventTypeEnum], description: 'Filters by event type.' }),
      names: t.arg.stringList({
        description: 'Filters by the name of the event, page or screen, at most 50.',
      }),
      userId: t.arg.string({ description: 'Filters by user ID.' }),
      anonymousId: t.arg.string({ description: 'Filters by anonymous ID.' }),
      messageId: t.arg.string({ description: 'Filters by message ID.' }),
    },
    complexity: reportPageCost(2),
    resolve: async (_root, { range, first, after, ...filter }, { context }) => {
      const page = await latestEvents(context, { range, first, after, filter });
      return connectionOfPage(page, { first, after });
    },
  }),
);
