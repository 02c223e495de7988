import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { reject } from '../platform/rejected.ts';
import type { WebhookAttempt } from './attempt.entity.ts';
import { WebhookDelivery } from './delivery.entity.ts';
import {
  ATTEMPTS_SHOWN_MAX,
  attemptsOfDeliveries,
  postedBodies,
  webhookDeliveriesByIds,
  webhookDeliveriesPage,
} from './delivery.reads.ts';
import { WebhookEndpointRef, webhookEndpointById } from './endpoint.graph.ts';
import type { WebhookCause, WebhookOutcome } from './outcomes.ts';

export const webhookDeliveryById = loaderById(webhookDeliveriesByIds);
const attemptsByDelivery = loaderById(attemptsOfDeliveries);
const bodyByEvent = loaderById(postedBodies);

export const WebhookDeliveryStateEnum = builder.enumType('WebhookDeliveryState', {
  description: 'How far a delivery is.',
  values: {
    PENDING: { description: 'Under way, or to be tried again.' },
    DELIVERED: { description: 'The endpoint took it: it answered with a 2xx.' },
    FAILED: { description: 'Given up after the last attempt. It may be replayed.' },
    CANCELLED: { description: 'Not sent, since the endpoint was disabled. It may be replayed.' },
  } satisfies Record<WebhookDelivery['state'], { description: string }>,
});

export const WebhookOutcomeEnum = builder.enumType('WebhookOutcome', {
  description: 'What became of an attempt.',
  values: {
    DELIVERED: { description: 'It was answered with a 2xx.' },
    REFUSED: { description: 'It was answered with another status.' },
    REDIRECTED: { description: 'It was answered with a 3xx; redirects are never followed.' },
    GONE: { description: 'It was answered with 410, and the endpoint was disabled.' },
    TIMED_OUT: { description: 'There was no answer in time.' },
    CONNECTION_FAILED: { description: 'The host was not found, not reached, or hung up.' },
    TLS_FAILED: { description: 'The host’s certificate is not valid for it.' },
    ADDRESS_REFUSED: { description: 'The host has an address that webhooks don’t go to.' },
    INTERRUPTED: { description: 'Our process ended meanwhile, so that nobody knows.' },
  } satisfies Record<WebhookOutcome, { description: string }>,
});

export const WebhookAttemptCauseEnum = builder.enumType('WebhookAttemptCause', {
  description: 'Why an attempt was made.',
  values: {
    SCHEDULED: { description: 'It was due.' },
    REPLAY: { description: 'Somebody asked for it again.' },
    TEST: { description: 'Somebody asked for a test.' },
  } satisfies Record<WebhookCause, { description: string }>,
});

const AttemptRef = builder.objectRef<WebhookAttempt>('WebhookAttempt').implement({
  description: 'One try at a delivery. What the receiver answered is not kept, but for its status.',
  authScopes: { member: true },
  fields: t => ({
    number: t.exposeInt('number', { nullable: false, description: 'The first one is 1.' }),
    cause: t.field({
      type: WebhookAttemptCauseEnum,
      nullable: false,
      description: 'Why it was made.',
      resolve: ({ cause }) => cause,
    }),
    attemptedAt: t.expose('attemptedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When.',
    }),
    outcome: t.field({
      type: WebhookOutcomeEnum,
      nullable: false,
      description: 'What became of it.',
      resolve: ({ outcome }) => outcome,
    }),
    status: t.exposeInt('status', { description: 'The HTTP status of the answer, if any.' }),
    latencyMs: t.exposeInt('latencyMs', {
      nullable: false,
      description: 'How long it took, in milliseconds.',
    }),
    reason: t.exposeString('reason', {
      nullable: false,
      description: 'The same in words: ours, with nothing that the receiver said.',
    }),
  }),
});

export const WebhookDeliveryRef: ObjectRef<SchemaTypes, WebhookDelivery> = builder.node(
  WebhookDelivery,
  {
    name: 'WebhookDelivery',
    description: 'One event to one endpoint, and how far it came.',
    authScopes: { member: true },
    id: { resolve: ({ id }) => id },
    loadOne: (id, graph) => webhookDeliveryById(graph, id),
    fields: t => ({
      endpoint: t.field({
        type: WebhookEndpointRef,
        description: 'Where it goes; null once the endpoint was deleted.',
        resolve: ({ endpointId }, _args, graph) => webhookEndpointById(graph, endpointId),
      }),
      eventId: t.exposeString('eventId', {
        nullable: false,
        description:
          'What `webhook-id` says: the same on every attempt, replay and endpoint, so that a receiver can tell what it had already.',
      }),
      eventType: t.exposeString('eventType', { nullable: false, description: 'What happened.' }),
      isTest: t.exposeBoolean('isTest', {
        nullable: false,
        description: 'Nothing happened; somebody tried the endpoint.',
      }),
      state: t.field({
        type: WebhookDeliveryStateEnum,
        nullable: false,
        description: 'How far it is.',
        resolve: ({ state }) => state,
      }),
      attemptCount: t.exposeInt('attempts', {
        nullable: false,
        description: 'How often it was tried.',
      }),
      lastOutcome: t.field({
        type: WebhookOutcomeEnum,
        description: 'What became of the last attempt; null before the first.',
        resolve: ({ lastOutcome }) => lastOutcome,
      }),
      lastStatus: t.exposeInt('lastStatus', { description: 'Its HTTP status, if any.' }),
      lastLatencyMs: t.exposeInt('lastLatencyMs', {
        description: 'How long it took, in milliseconds.',
      }),
      attempts: t.field({
        type: [AttemptRef],
        nullable: false,
        description: `The attempts, the last first, at most ${ATTEMPTS_SHOWN_MAX}.`,
        // Most have one; the schedule has ten.
        complexity: { field: 1, multiplier: 5 },
        resolve: async ({ id }, _args, graph) => [
          ...((await attemptsByDelivery(graph, id))?.attempts ?? []),
        ],
      }),
      body: t.string({
        description: 'What is posted, byte for byte; null once the event is forgotten.',
        // As large as a whole row, each.
        complexity: { field: 1, multiplier: 1 },
        resolve: async ({ eventId }, _args, graph) => (await bodyByEvent(graph, eventId))?.body,
      }),
      nextAttemptAt: t.expose('nextAttemptAt', {
        type: 'DateTime',
        description: 'When it is tried next; null once it is over.',
      }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        nullable: false,
        description: 'When it was made out, moments after the event.',
      }),
      finishedAt: t.expose('finishedAt', {
        type: 'DateTime',
        description: 'When it was over: delivered, given up or cancelled.',
      }),
    }),
  },
);

const WebhookDeliveryConnection = connectionType('WebhookDelivery', WebhookDeliveryRef);

builder.queryField('webhookDeliveries', t =>
  t.field({
    type: WebhookDeliveryConnection,
    nullable: false,
    description:
      'The deliveries of the viewer’s workspace, newest first. Those that are over are kept for 30 days.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      endpointId: t.arg.globalID({ description: 'Only to this endpoint.' }),
      state: t.arg({ type: WebhookDeliveryStateEnum, description: 'Only those that are so far.' }),
      outcome: t.arg({
        type: WebhookOutcomeEnum,
        description: 'Only those whose last attempt was so.',
      }),
      eventType: t.arg.string({
        description: 'Only of this type, or of a family such as `payment.*`.',
      }),
      since: t.arg({ type: 'DateTime', description: 'Only those made out from then on.' }),
      until: t.arg({ type: 'DateTime', description: 'Only those made out before then.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { first, after, endpointId, ...filter }, { context }) => {
      if (endpointId != null && endpointId.typename !== 'WebhookEndpoint')
        return reject('INVALID_ID', { field: ['endpointId'] });
      const page = { first, after };
      const found = await webhookDeliveriesPage(context, page, {
        ...filter,
        endpointId: endpointId?.id,
      });
      return connectionOfPage(found, page);
    },
  }),
);
