import { expose, linked, memberObject } from '../platform/graph/fields.ts';
import { loaderBy } from '../platform/graph/loader.ts';
import { listQuery, seriesQuery, texts, times } from '../platform/graph/report.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { SdkKeyRef, sdkKeyById } from '../tenancy/sdk-key.graph.ts';
import {
  ACCEPTED_DAYS,
  acceptedByPlaces,
  placeOf,
  type RejectedCode,
  type RejectedEvent,
  rejectedBodies,
  rejectedCodes,
  rejectedEventCursor,
  rejectedEvents,
  SAMPLES_MAX,
} from './rejected-event.reads.ts';
import { MESSAGES_MAX } from './rejected-group.reads.ts';

const bodyByHash = loaderBy(rejectedBodies, ({ hash }) => hash);
const acceptedByPlace = loaderBy(acceptedByPlaces, ({ place }) => place);

const RejectedEventRef = memberObject<RejectedEvent>('RejectedEvent', {
  description: 'A rejected event, stored in full and deduplicated.',
  fields: t => ({
    ...expose(t, 'String!', {
      code: 'The error code for the rejection.',
      message: 'The error message that explains the rejection.',
      endpoint: 'The path that the event was sent to, such as `/v1/batch`.',
      hash: 'The hash of the JSON text. Together with `code` and `endpoint`, it identifies the event. Use it to replay only this event.',
    }),
    ...texts(t, { messageId: 'The SDK’s ID for the event; null if it could not be read.' }),
    ...expose(t, 'Int!', {
      batchIndex: 'The position of the event in its batch, starting at 0.',
    }),
    ...times(t, { receivedAt: 'When the event was received, according to the server’s clock.' }),
    isAccepted: t.boolean({
      description: `Whether an event with the same message ID was accepted, for example in a replay; null if there is no message ID. Only accepted events whose \`timestamp\` is within ${ACCEPTED_DAYS} days of \`receivedAt\` are checked.`,
      resolve: async (event, _args, graph) =>
        event.messageId === '' ? null : (await acceptedByPlace(graph, placeOf(event))) !== null,
    }),
    sdkKey: linked(
      t,
      'sdkKeyId',
      SdkKeyRef,
      sdkKeyById,
      'The SDK key that the event was sent with.',
    ),
    body: t.string({
      description:
        'The full event, as the JSON text that was sent. Loaded only if this field is selected.',
      resolve: async ({ hash }, _args, graph) => (await bodyByHash(graph, hash))?.body,
    }),
  }),
});

const RejectedCodeRef = memberObject<RejectedCode>('RejectedEventCode', {
  description: 'The events that were rejected with a given error code.',
  fields: t => ({
    ...expose(t, 'String!', { code: 'The error code.' }),
    ...expose(t, 'Int!', { count: 'The number of events.' }),
    ...times(t, {
      firstSeenAt: 'When the first of these events in the range was received.',
      lastSeenAt: 'When the last of these events in the range was received.',
    }),
    ...expose(t, '[String!]!', {
      endpoints: 'The endpoints that the events were sent to.',
      messages: `Up to ${MESSAGES_MAX} of the most frequent error messages for these events. The selection is approximate if there are many different messages.`,
    }),
    samples: t.field({
      type: [RejectedEventRef],
      nullable: false,
      description: `Up to ${SAMPLES_MAX} of these events, newest first.`,
      complexity: { field: 1, multiplier: SAMPLES_MAX },
      resolve: ({ samples }) => samples(),
    }),
  }),
});

seriesQuery('rejectedEventCodes', {
  type: [RejectedCodeRef],
  description:
    'The error codes of the rejected events in the viewer’s workspace, most frequent first.',
  // Four queries: the counts, their samples, and the bodies and acceptance of the samples. About ten
  // codes exist.
  complexity: { field: 4 * QUESTION_POINTS, multiplier: 10 },
  read: rejectedCodes,
});

listQuery('rejectedEvents', {
  type: RejectedEventRef,
  description: 'The rejected events in the viewer’s workspace, newest first.',
  cursorOf: rejectedEventCursor,
  args: arg => ({
    code: arg.string({ description: 'Filters by error code.' }),
    group: arg.string({ description: 'Filters by the `key` of a `RejectedEventGroup`.' }),
  }),
  questions: 3,
  page: rejectedEvents,
});
