import { builder } from '../platform/graph/builder.ts';
import { connectionOfPage, connectionTypeBy, pageArgs } from '../platform/graph/connection.ts';
import { loaderBy } from '../platform/graph/loader.ts';
import { given, rangeArg, reportPageCost } from '../platform/graph/report-args.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { LIST_DAYS_MAX, SERIES_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import { SdkKeyRef, sdkKeyById } from '../tenancy/sdk-key.graph.ts';
import {
  type RejectedCode,
  type RejectedEvent,
  rejectedBodies,
  rejectedCodes,
  rejectedEventCursor,
  rejectedEvents,
  SAMPLES_MAX,
} from './rejected-event.reads.ts';

const bodyByHash = loaderBy(rejectedBodies, ({ hash }) => hash);

const RejectedEventRef = builder.objectRef<RejectedEvent>('RejectedEvent').implement({
  description: 'A rejected event, stored in full and deduplicated.',
  authScopes: { member: true },
  fields: t => ({
    code: t.exposeString('code', {
      nullable: false,
      description: 'The error code of the rejection.',
    }),
    message: t.exposeString('message', {
      nullable: false,
      description: 'The error message of the rejection.',
    }),
    messageId: t.string({
      description: 'The SDK’s ID of the event; null if it could not be read.',
      resolve: ({ messageId }) => given(messageId),
    }),
    endpoint: t.exposeString('endpoint', {
      nullable: false,
      description: 'The endpoint that the event was sent to.',
    }),
    batchIndex: t.exposeInt('batchIndex', {
      nullable: false,
      description: 'The position of the event in its batch, starting at 0.',
    }),
    receivedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the event was received, by the server’s clock.',
      resolve: ({ receivedAtMs }) => new Date(receivedAtMs),
    }),
    sdkKey: t.field({
      type: SdkKeyRef,
      description: 'The SDK key that the event was sent with.',
      resolve: ({ sdkKeyId }, _args, graph) => sdkKeyById(graph, sdkKeyId),
    }),
    body: t.string({
      description:
        'The full event, as the JSON text that was sent. Loaded only if this field is selected.',
      resolve: async ({ hash }, _args, graph) => (await bodyByHash(graph, hash))?.body,
    }),
  }),
});

const RejectedCodeRef = builder.objectRef<RejectedCode>('RejectedEventCode').implement({
  description: 'The events that were rejected with one error code.',
  authScopes: { member: true },
  fields: t => ({
    code: t.exposeString('code', { nullable: false, description: 'The error code.' }),
    count: t.exposeInt('events', { nullable: false, description: 'The number of events.' }),
    firstSeenAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the first of these events in the range was received.',
      resolve: ({ firstSeenMs }) => new Date(firstSeenMs),
    }),
    lastSeenAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the last of these events in the range was received.',
      resolve: ({ lastSeenMs }) => new Date(lastSeenMs),
    }),
    endpoints: t.stringList({
      nullable: false,
      description: 'The endpoints that the events were sent to.',
      resolve: ({ endpoints }) => [...endpoints],
    }),
    samples: t.field({
      type: [RejectedEventRef],
      nullable: false,
      description: `The newest of these events, at most ${SAMPLES_MAX}.`,
      complexity: { field: 1, multiplier: SAMPLES_MAX },
      resolve: ({ samples }) => samples(),
    }),
  }),
});

builder.queryField('rejectedEventCodes', t =>
  t.field({
    type: [RejectedCodeRef],
    description:
      'The error codes with which events of the viewer’s workspace were rejected, most frequent first.',
    authScopes: { member: true },
    args: { range: rangeArg(t.arg, SERIES_DAYS_MAX) },
    // Three queries: the counts, their samples and the bodies of the samples. About ten codes
    // exist.
    complexity: { field: 3 * QUESTION_POINTS, multiplier: 10 },
    resolve: (_root, { range }, { context }) => rejectedCodes(context, range),
  }),
);

const RejectedEventConnection = connectionTypeBy(
  'RejectedEvent',
  RejectedEventRef,
  rejectedEventCursor,
);

builder.queryField('rejectedEvents', t =>
  t.field({
    type: RejectedEventConnection,
    description: 'The rejected events of the viewer’s workspace, newest first.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, LIST_DAYS_MAX),
      ...pageArgs(t.arg),
      code: t.arg.string({ description: 'Filters by error code.' }),
    },
    complexity: reportPageCost(2),
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await rejectedEvents(context, args), args),
  }),
);
