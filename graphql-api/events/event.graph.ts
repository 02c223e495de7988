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
  description: 'What an SDK sent, as analysts read it: each once.',
  authScopes: { member: true },
  fields: t => ({
    messageId: t.exposeString('messageId', { nullable: false, description: 'The SDK’s id of it.' }),
    type: t.expose('type', { type: EventTypeEnum, nullable: false, description: 'The call.' }),
    event: t.string({
      description: 'The event’s name.',
      resolve: ({ event }) => given(event),
    }),
    name: t.string({
      description: 'The page’s or screen’s name.',
      resolve: ({ name }) => given(name),
    }),
    timestamp: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it happened, by the client’s clock.',
      resolve: ({ timestampMs }) => new Date(timestampMs),
    }),
    correctedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'The same by our clock, where the client’s was off by more than 5 minutes.',
      resolve: ({ correctedAtMs }) => new Date(correctedAtMs),
    }),
    sentAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the SDK sent it, by the client’s clock.',
      resolve: ({ sentAtMs }) => new Date(sentAtMs),
    }),
    receivedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it came, by our clock.',
      resolve: ({ receivedAtMs }) => new Date(receivedAtMs),
    }),
    anonymousId: t.string({
      description: 'The SDK’s id of a person nobody knows yet.',
      resolve: ({ anonymousId }) => given(anonymousId),
    }),
    userId: t.string({
      description: 'The application’s id of the person.',
      resolve: ({ userId }) => given(userId),
    }),
    sessionId: t.string({
      description: 'The SDK’s session.',
      resolve: ({ sessionId }) => given(sessionId),
    }),
    properties: t.field({
      type: 'JSON',
      description: 'As sent.',
      resolve: ({ properties }) => parsed(properties),
    }),
    traits: t.field({
      type: 'JSON',
      description: 'As sent.',
      resolve: ({ traits }) => parsed(traits),
    }),
    context: t.field({
      type: 'JSON',
      description: 'As sent.',
      resolve: ({ context }) => parsed(context),
    }),
    extra: t.field({
      type: 'JSON',
      description: 'Fields of the event that have no name here.',
      resolve: ({ extra }) => parsed(extra),
    }),
    sdkKey: t.field({
      type: SdkKeyRef,
      description: 'The key that it came with.',
      resolve: ({ sdkKeyId }, _args, graph) => sdkKeyById(graph, sdkKeyId),
    }),
  }),
});

const EventConnection = connectionTypeBy('Event', EventRef, eventCursor);

builder.queryField('events', t =>
  t.field({
    type: EventConnection,
    description: 'The events of the viewer’s workspace by their own `timestamp`, newest first.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, LIST_DAYS_MAX),
      ...pageArgs(t.arg),
      types: t.arg({ type: [EventTypeEnum], description: 'Only these calls.' }),
      names: t.arg.stringList({
        description: 'Only these names of events, pages and screens: at most 50.',
      }),
      userId: t.arg.string({ description: 'Only of this user.' }),
      anonymousId: t.arg.string({ description: 'Only with this anonymous id.' }),
      messageId: t.arg.string({ description: 'Only with this id.' }),
    },
    complexity: reportPageCost(2),
    resolve: async (_root, { range, first, after, ...filter }, { context }) => {
      const page = await latestEvents(context, { range, first, after, filter });
      return connectionOfPage(page, { first, after });
    },
  }),
);
