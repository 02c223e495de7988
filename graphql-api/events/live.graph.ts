import { GatewayEventStateEnum } from '../payments/gateway-event.graph.ts';
import { builder } from '../platform/graph/builder.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, globalId, memberObject, ofInterface } from '../platform/graph/fields.ts';
import { texts, times } from '../platform/graph/report.ts';
import {
  WebhookAttemptCauseEnum,
  WebhookDeliveryStateEnum,
  WebhookOutcomeEnum,
} from '../webhooks/delivery.graph.ts';
import type {
  LiveCounts,
  LiveDelivery,
  LiveEvent,
  LiveGatewayEvent,
  LiveItem,
  LiveKind,
  LiveRejectedEvent,
} from './live/live-item.ts';

/** A subscription is long-lived, so it costs the same however many items it emits. */
const SUBSCRIPTION_POINTS = 20;

const LiveKindEnum = describedEnum<LiveKind>('LiveKind', 'The kind of an item in the live view.', {
  EVENT: 'An accepted event.',
  REJECTED_EVENT: 'A rejected event.',
  GATEWAY_EVENT: 'An event from the payment gateway.',
  DELIVERY: 'A webhook delivery attempt.',
  COUNTS: 'Counts of events and webhook delivery attempts, including those not shown.',
});

const LiveSentRef = builder.interfaceRef<LiveEvent | LiveRejectedEvent>('LiveSentEvent').implement({
  description:
    'An event that an SDK just sent, or a feedback report about a campaign or push notification.',
  authScopes: { member: true },
  fields: fields => {
    const t = ofInterface(fields);
    return {
      ...times(t, { receivedAt: 'When the event was received, according to the server’s clock.' }),
      ...expose(t, 'String!', {
        endpoint: 'The path that the event was sent to, such as `/v1/batch`.',
      }),
      sdkKeyId: globalId(
        t,
        'keyId',
        'SdkKey',
        'The ID of the SDK key that the event was sent with.',
      ),
      ...texts(t, {
        type: 'The event type, such as `track`; for feedback, the reported interaction. Null if it could not be read.',
        name: 'The name of the event, page or screen; for feedback, the campaign ID. Null if there is none.',
        messageId: 'The SDK’s ID for the event; null if there is none.',
        userId: 'The application’s user ID; null if the person was not identified.',
        anonymousId:
          'The anonymous ID that the SDK generated for the person; null if there is none.',
      }),
      body: t.exposeString('text', {
        nullable: false,
        description: 'The JSON text that was sent, truncated to 8 KB.',
      }),
      isBodyCut: t.boolean({
        nullable: false,
        description: 'Whether `body` is truncated.',
        resolve: ({ text, textBytes }) => Buffer.byteLength(text) < textBytes,
      }),
      bodyBytes: t.exposeInt('textBytes', {
        nullable: false,
        description: 'The size of the full text, in bytes.',
      }),
    };
  },
});

const LiveEventRef = builder.objectRef<LiveEvent>('LiveEvent').implement({
  description: 'An event that an SDK just sent and that ingest has stored on disk.',
  authScopes: { member: true },
  interfaces: [LiveSentRef],
  isTypeOf: item => (item as LiveItem).kind === 'EVENT',
});

const LiveRejectedEventRef = builder.objectRef<LiveRejectedEvent>('LiveRejectedEvent').implement({
  description:
    'An event that an SDK just sent and that ingest rejected. Rejected events are stored: see `rejectedEvents`.',
  authScopes: { member: true },
  interfaces: [LiveSentRef],
  isTypeOf: item => (item as LiveItem).kind === 'REJECTED_EVENT',
  fields: t => ({
    code: t.string({
      nullable: false,
      description: 'The error code for the rejection.',
      resolve: ({ refusal }) => refusal.code,
    }),
    message: t.string({
      nullable: false,
      description: 'The error message that explains the rejection.',
      resolve: ({ refusal }) => refusal.message,
    }),
    batchIndex: t.exposeInt('index', {
      nullable: false,
      description: 'The position of the event in its batch, starting at 0.',
    }),
  }),
});

const LiveGatewayEventRef = memberObject<LiveGatewayEvent>('LiveGatewayEvent', {
  description:
    'An event that the payment gateway just sent. It is emitted again each time its state changes, for up to a minute after it is received. To see later changes, query `gatewayEvents`.',
  fields: t => ({
    id: globalId(t, 'id', 'GatewayEvent', 'The ID of the event.'),
    ...expose(t, 'DateTime!', { receivedAt: 'When the event was received.' }),
    ...expose(t, 'String!', {
      type: 'The payment gateway’s event type.',
      family:
        'The kind of object that the event is about, such as `payment` or `refund`; `unknown` if the service does not know the event type.',
    }),
    ...expose(t, GatewayEventStateEnum, { state: 'The processing state of the event.' }),
    ...expose(t, '[String!]!', { effects: 'The names of the effects that the event caused.' }),
    ...expose(t, 'String', {
      error:
        'Why the event was ignored or could not be processed; null if neither applies. The text contains no values from the event.',
    }),
  }),
});

const LiveDeliveryRef = memberObject<LiveDelivery>('LiveDelivery', {
  description: 'A webhook delivery attempt that just finished.',
  fields: t => ({
    deliveryId: globalId(t, 'deliveryId', 'WebhookDelivery', 'The ID of the webhook delivery.'),
    endpointId: globalId(t, 'endpointId', 'WebhookEndpoint', 'The ID of the webhook endpoint.'),
    eventType: t.exposeString('type', {
      nullable: false,
      description: 'The type of the outbound event.',
    }),
    ...expose(t, 'String!', {
      eventId: 'The ID of the outbound event, as in the `webhook-id` header.',
      reason: 'A description of the outcome.',
    }),
    ...expose(t, 'Boolean!', { isTest: 'Whether the webhook delivery is a test.' }),
    ...expose(t, WebhookDeliveryStateEnum, {
      state: 'The state of the webhook delivery after the attempt.',
    }),
    ...expose(t, WebhookAttemptCauseEnum, { cause: 'What triggered the attempt.' }),
    ...expose(t, WebhookOutcomeEnum, { outcome: 'The outcome of the attempt.' }),
    ...expose(t, 'Int!', {
      attempt: 'The number of the attempt, starting at 1.',
      latencyMs: 'The duration of the attempt, in milliseconds.',
    }),
    ...expose(t, 'Int', { status: 'The HTTP status of the response; null if there was none.' }),
    ...expose(t, 'DateTime!', { attemptedAt: 'When the attempt was made.' }),
  }),
});

const LiveCountsRef = memberObject<LiveCounts>('LiveCounts', {
  description:
    'Counts of the events and webhook delivery attempts since the previous `LiveCounts` object, regardless of filters. A `LiveCounts` object is emitted about once a second while there is activity, and every ten seconds otherwise. Everything after the first `LiveCounts` object is counted, unless `isIngestAnswering` is false.',
  fields: t => ({
    ...expose(t, 'DateTime!', { at: 'The end of the counted period.' }),
    ...expose(t, 'Int!', {
      accepted: 'The number of accepted events and feedback reports, including duplicates.',
      duplicates: 'The number of events that ingest recognized as duplicates.',
      rejected: 'The number of rejected events and feedback reports.',
      notShown:
        'The number of accepted and rejected events that were omitted because there were too many to show. The number includes events that do not match the filters.',
      deliveries: 'The number of webhook delivery attempts.',
      deliveriesNotShown:
        'The number of webhook delivery attempts that were omitted because there were too many to show.',
    }),
    ...expose(t, 'Boolean!', {
      isIngestAnswering:
        'Whether all ingest nodes are responding. If false, some events may be neither counted nor shown.',
    }),
  }),
});

const TYPE_NAMES = {
  EVENT: 'LiveEvent',
  REJECTED_EVENT: 'LiveRejectedEvent',
  GATEWAY_EVENT: 'LiveGatewayEvent',
  DELIVERY: 'LiveDelivery',
  COUNTS: 'LiveCounts',
} as const satisfies Record<LiveKind, string>;

const LiveItemRef = builder.unionType('LiveItem', {
  description: 'An item in the live view.',
  types: [LiveEventRef, LiveRejectedEventRef, LiveGatewayEventRef, LiveDeliveryRef, LiveCountsRef],
  resolveType: ({ kind }) => TYPE_NAMES[kind],
});

builder.subscriptionType({
  description: 'Real-time updates over Server-Sent Events (`Accept: text/event-stream`).',
});

builder.subscriptionField('live', t =>
  t.field({
    type: LiveItemRef,
    nullable: false,
    description:
      'The live view of the viewer’s workspace: incoming events and outgoing webhook deliveries, which appear within a second. Under load, some items are omitted, but the counts in `LiveCounts` stay exact. The subscription ends when the token expires, when an hour has passed, or when the client stops reading; subscribe again to continue. Only items that match all filters are sent. A trailing `*` in a filter matches any suffix.',
    authScopes: { member: true },
    args: {
      kinds: t.arg({
        type: [LiveKindEnum],
        description: 'Filters by kind. Defaults to all kinds.',
      }),
      name: t.arg.string({
        description: 'Filters by name; for webhook deliveries, by event type.',
      }),
      type: t.arg.string({ description: 'Filters by type, such as `track` or `payment.*`.' }),
      user: t.arg.string({ description: 'Filters by user ID or anonymous ID.' }),
      code: t.arg.string({
        description:
          'Filters by error code, gateway event state, webhook delivery outcome or HTTP status.',
      }),
    },
    complexity: SUBSCRIPTION_POINTS,
    subscribe: (_root, filter, { context }) => context.deps.live.subscribe(context.viewer, filter),
    resolve: item => item,
  }),
);
