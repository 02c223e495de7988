import { GatewayEventStateEnum } from '../payments/gateway-event.graph.ts';
import { builder } from '../platform/graph/builder.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { given } from '../platform/graph/report-args.ts';
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

/** Begins what goes on for long, whatever comes of it. */
const SUBSCRIPTION_POINTS = 20;

const LiveKindEnum = builder.enumType('LiveKind', {
  description: 'What a live view shows.',
  values: {
    EVENT: { description: 'What an SDK sent, and was accepted.' },
    REJECTED_EVENT: { description: 'What an SDK sent, and was refused.' },
    GATEWAY_EVENT: { description: 'What the payment gateway told.' },
    DELIVERY: { description: 'An attempt at an outbound webhook.' },
    COUNTS: { description: 'How many there were, shown or not.' },
  } satisfies Record<LiveKind, { description: string }>,
});

const LiveSentRef = builder.interfaceRef<LiveEvent | LiveRejectedEvent>('LiveSentEvent').implement({
  description: 'What an SDK sent just now: an event, or a report on a campaign or a push.',
  authScopes: { member: true },
  fields: t => ({
    receivedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it came, by our clock.',
      resolve: ({ receivedAtMs }) => new Date(receivedAtMs),
    }),
    endpoint: t.exposeString('endpoint', {
      nullable: false,
      description: 'Where it was posted.',
    }),
    sdkKeyId: t.id({
      nullable: false,
      description: 'The key that it came with.',
      resolve: ({ keyId }) => encodeNodeId('SdkKey', keyId),
    }),
    type: t.string({
      description: 'Such as `track`; of a report, what it reports.',
      resolve: ({ type }) => given(type),
    }),
    name: t.string({
      description: 'The event’s name, or that of a page or screen; of a report, the campaign.',
      resolve: ({ name }) => given(name),
    }),
    messageId: t.string({
      description: 'The SDK’s id of it.',
      resolve: ({ messageId }) => given(messageId),
    }),
    userId: t.string({
      description: 'The application’s id of the person.',
      resolve: ({ userId }) => given(userId),
    }),
    anonymousId: t.string({
      description: 'The SDK’s id of a person nobody knows yet.',
      resolve: ({ anonymousId }) => given(anonymousId),
    }),
    body: t.exposeString('text', {
      nullable: false,
      description: 'The JSON text that was sent, no more than its first 8 KB.',
    }),
    isBodyCut: t.boolean({
      nullable: false,
      description: 'There is more of it than is shown.',
      resolve: ({ text, textBytes }) => Buffer.byteLength(text) < textBytes,
    }),
    bodyBytes: t.exposeInt('textBytes', {
      nullable: false,
      description: 'How long the whole text is.',
    }),
  }),
});

const LiveEventRef = builder.objectRef<LiveEvent>('LiveEvent').implement({
  description: 'What an SDK sent just now, and is on disk.',
  authScopes: { member: true },
  interfaces: [LiveSentRef],
  isTypeOf: item => (item as LiveItem).kind === 'EVENT',
});

const LiveRejectedEventRef = builder.objectRef<LiveRejectedEvent>('LiveRejectedEvent').implement({
  description: 'What an SDK sent just now, and was refused. It is kept: see `rejectedEvents`.',
  authScopes: { member: true },
  interfaces: [LiveSentRef],
  isTypeOf: item => (item as LiveItem).kind === 'REJECTED_EVENT',
  fields: t => ({
    code: t.string({
      nullable: false,
      description: 'The reason.',
      resolve: ({ refusal }) => refusal.code,
    }),
    message: t.string({
      nullable: false,
      description: 'The reason in words.',
      resolve: ({ refusal }) => refusal.message,
    }),
    batchIndex: t.exposeInt('index', {
      nullable: false,
      description: 'Its place in its batch, from 0.',
    }),
  }),
});

const LiveGatewayEventRef = builder.objectRef<LiveGatewayEvent>('LiveGatewayEvent').implement({
  description:
    'What the payment gateway told just now, once more each time that it is further. What changes later than a minute after it came, `gatewayEvents` shows.',
  authScopes: { member: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'The event’s.',
      resolve: ({ id }) => encodeNodeId('GatewayEvent', id),
    }),
    receivedAt: t.expose('receivedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it came.',
    }),
    type: t.exposeString('type', { nullable: false, description: 'The gateway’s name for it.' }),
    family: t.exposeString('family', { nullable: false, description: 'What it is about.' }),
    state: t.expose('state', {
      type: GatewayEventStateEnum,
      nullable: false,
      description: 'How far it is.',
    }),
    effects: t.stringList({
      nullable: false,
      description: 'What happened, by our names for it.',
      resolve: ({ effects }) => [...effects],
    }),
    error: t.exposeString('error', {
      description: 'Why it failed or waits, without anything of what was sent.',
    }),
  }),
});

const LiveDeliveryRef = builder.objectRef<LiveDelivery>('LiveDelivery').implement({
  description: 'An attempt at an outbound webhook, and what became of it just now.',
  authScopes: { member: true },
  fields: t => ({
    deliveryId: t.id({
      nullable: false,
      description: 'The delivery that it was for.',
      resolve: ({ deliveryId }) => encodeNodeId('WebhookDelivery', deliveryId),
    }),
    endpointId: t.id({
      nullable: false,
      description: 'Where it went.',
      resolve: ({ endpointId }) => encodeNodeId('WebhookEndpoint', endpointId),
    }),
    eventId: t.exposeString('eventId', {
      nullable: false,
      description: 'What `webhook-id` says.',
    }),
    eventType: t.exposeString('type', { nullable: false, description: 'What happened.' }),
    isTest: t.exposeBoolean('isTest', {
      nullable: false,
      description: 'Nothing happened; somebody tried the endpoint.',
    }),
    state: t.expose('state', {
      type: WebhookDeliveryStateEnum,
      nullable: false,
      description: 'How far the delivery is now.',
    }),
    attempt: t.exposeInt('attempt', { nullable: false, description: 'The first one is 1.' }),
    cause: t.expose('cause', {
      type: WebhookAttemptCauseEnum,
      nullable: false,
      description: 'Why it was made.',
    }),
    outcome: t.expose('outcome', {
      type: WebhookOutcomeEnum,
      nullable: false,
      description: 'What became of it.',
    }),
    status: t.exposeInt('status', { description: 'The HTTP status of the answer, if any.' }),
    latencyMs: t.exposeInt('latencyMs', {
      nullable: false,
      description: 'How long it took, in milliseconds.',
    }),
    reason: t.exposeString('reason', {
      nullable: false,
      description: 'The outcome in our words.',
    }),
    attemptedAt: t.expose('attemptedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was made.',
    }),
  }),
});

const LiveCountsRef = builder.objectRef<LiveCounts>('LiveCounts').implement({
  description:
    'How many there were since the counts before, whatever the filters: once a second while there are any. The first ones come when nothing is missed any more.',
  authScopes: { member: true },
  fields: t => ({
    at: t.expose('at', { type: 'DateTime', nullable: false, description: 'Until when.' }),
    accepted: t.exposeInt('accepted', {
      nullable: false,
      description: 'Accepted events and reports, duplicates among them.',
    }),
    duplicates: t.exposeInt('duplicates', {
      nullable: false,
      description: 'Events of which ingest knew that it had them already.',
    }),
    rejected: t.exposeInt('rejected', {
      nullable: false,
      description: 'Refused events and reports.',
    }),
    notShown: t.exposeInt('notShown', {
      nullable: false,
      description:
        'Of both, those left out because there were too many to show; no filter was asked about them.',
    }),
    deliveries: t.exposeInt('deliveries', {
      nullable: false,
      description: 'Attempts at outbound webhooks.',
    }),
    deliveriesNotShown: t.exposeInt('deliveriesNotShown', {
      nullable: false,
      description: 'Those of them that were left out.',
    }),
    isIngestAnswering: t.exposeBoolean('isIngestAnswering', {
      nullable: false,
      description: 'False: there may be events that are neither counted nor shown.',
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
  description: 'What a live view shows.',
  types: [LiveEventRef, LiveRejectedEventRef, LiveGatewayEventRef, LiveDeliveryRef, LiveCountsRef],
  resolveType: ({ kind }) => TYPE_NAMES[kind],
});

builder.subscriptionType({
  description: 'What is told as it happens, by Server-Sent Events (`Accept: text/event-stream`).',
});

builder.subscriptionField('live', t =>
  t.field({
    type: LiveItemRef,
    nullable: false,
    description:
      'What comes into the viewer’s workspace and goes out of it, within a second; under load some of it, and exact counts. It ends with the token, after an hour, or when the client doesn’t read: begin anew. Filters hold together; a star at the end stands for whatever follows.',
    authScopes: { member: true },
    args: {
      kinds: t.arg({ type: [LiveKindEnum], description: 'Only these; all unless said.' }),
      name: t.arg.string({ description: 'Only of this name; of a webhook, of this type.' }),
      type: t.arg.string({ description: 'Only of this type, such as `track` or `payment.*`.' }),
      user: t.arg.string({ description: 'Only of this user id or anonymous id.' }),
      code: t.arg.string({
        description:
          'Only what was refused for this reason, whose state, outcome or HTTP status this is.',
      }),
    },
    complexity: SUBSCRIPTION_POINTS,
    subscribe: (_root, filter, { context }) => context.deps.live.subscribe(context.viewer, filter),
    resolve: item => item,
  }),
);
