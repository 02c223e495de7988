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
  description: 'An event that was refused, kept whole, once.',
  authScopes: { member: true },
  fields: t => ({
    code: t.exposeString('code', { nullable: false, description: 'The reason.' }),
    message: t.exposeString('message', { nullable: false, description: 'The reason in words.' }),
    messageId: t.string({
      description: 'The SDK’s id of it, where there was a readable one.',
      resolve: ({ messageId }) => given(messageId),
    }),
    endpoint: t.exposeString('endpoint', { nullable: false, description: 'Where it was posted.' }),
    batchIndex: t.exposeInt('batchIndex', {
      nullable: false,
      description: 'Its place in its batch, from 0.',
    }),
    receivedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it came, by our clock.',
      resolve: ({ receivedAtMs }) => new Date(receivedAtMs),
    }),
    sdkKey: t.field({
      type: SdkKeyRef,
      description: 'The key that it came with.',
      resolve: ({ sdkKeyId }, _args, graph) => sdkKeyById(graph, sdkKeyId),
    }),
    body: t.string({
      description: 'The whole event, as the JSON text that was sent; read only where asked for.',
      resolve: async ({ hash }, _args, graph) => (await bodyByHash(graph, hash))?.body,
    }),
  }),
});

const RejectedCodeRef = builder.objectRef<RejectedCode>('RejectedEventCode').implement({
  description: 'The events that were refused for one reason.',
  authScopes: { member: true },
  fields: t => ({
    code: t.exposeString('code', { nullable: false, description: 'The reason.' }),
    count: t.exposeInt('events', { nullable: false, description: 'How many events.' }),
    firstSeenAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the first one of the range came.',
      resolve: ({ firstSeenMs }) => new Date(firstSeenMs),
    }),
    lastSeenAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the last one of the range came.',
      resolve: ({ lastSeenMs }) => new Date(lastSeenMs),
    }),
    endpoints: t.stringList({
      nullable: false,
      description: 'Where they were posted.',
      resolve: ({ endpoints }) => [...endpoints],
    }),
    samples: t.field({
      type: [RejectedEventRef],
      nullable: false,
      description: `The newest, at most ${SAMPLES_MAX}.`,
      complexity: { field: 1, multiplier: SAMPLES_MAX },
      resolve: ({ samples }) => samples(),
    }),
  }),
});

builder.queryField('rejectedEventCodes', t =>
  t.field({
    type: [RejectedCodeRef],
    description:
      'Why events of the viewer’s workspace were refused, the most frequent reason first.',
    authScopes: { member: true },
    args: { range: rangeArg(t.arg, SERIES_DAYS_MAX) },
    // The counts, their samples and the bodies of those; there are about ten codes.
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
    description: 'The events of the viewer’s workspace that were refused, newest first.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, LIST_DAYS_MAX),
      ...pageArgs(t.arg),
      code: t.arg.string({ description: 'Only for this reason.' }),
    },
    complexity: reportPageCost(2),
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await rejectedEvents(context, args), args),
  }),
);
