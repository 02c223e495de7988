import type { ObjectRef } from '@pothos/core';
import type { RowOf } from '../platform/database/kysely.ts';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { reject } from '../platform/rejected.ts';
import type { WebhookDelivery } from './delivery.entity.ts';
import {
  ATTEMPTS_SHOWN_MAX,
  attemptsOfDeliveries,
  postedBodies,
  webhookDeliveries,
  webhookDeliveriesPage,
} from './delivery.reads.ts';
import { WebhookEndpointRef, webhookEndpointById } from './endpoint.graph.ts';
import type { WebhookCause, WebhookOutcome } from './outcomes.ts';

export const webhookDeliveryById = loaderById(webhookDeliveries.byIds);
const attemptsByDelivery = loaderById(attemptsOfDeliveries);
const bodyByEvent = loaderById(postedBodies);

export const WebhookDeliveryStateEnum = describedEnum(
  'WebhookDeliveryState',
  'The state of a webhook delivery.',
  {
    PENDING: 'The delivery is in progress or waiting for its next attempt.',
    DELIVERED: 'The endpoint responded with a 2xx status.',
    FAILED:
      'The last attempt failed, and no further attempt is scheduled. The delivery can be replayed.',
    CANCELLED: 'The delivery was canceled because the endpoint was disabled. It can be replayed.',
  },
);

export const WebhookOutcomeEnum = describedEnum<WebhookOutcome>(
  'WebhookOutcome',
  'The outcome of an attempt.',
  {
    DELIVERED: 'The endpoint responded with a 2xx status.',
    REFUSED: 'The endpoint responded with a status other than 2xx, 3xx or 410.',
    REDIRECTED: 'The endpoint responded with a 3xx status. Redirects are never followed.',
    GONE: 'The endpoint responded with 410 and was disabled.',
    TIMED_OUT: 'The endpoint did not respond in time.',
    CONNECTION_FAILED: 'The host could not be resolved or reached, or it closed the connection.',
    TLS_FAILED: 'The certificate of the host is not valid.',
    ADDRESS_REFUSED: 'The host resolves to an address that is not on the public internet.',
    INTERRUPTED: 'The sending process ended during the attempt, so the outcome is unknown.',
  },
);

export const WebhookAttemptCauseEnum = describedEnum<WebhookCause>(
  'WebhookAttemptCause',
  'Why an attempt was made.',
  {
    SCHEDULED: 'The attempt was due according to the retry schedule.',
    REPLAY: 'The delivery was replayed.',
    TEST: 'A test was requested.',
  },
);

const AttemptRef = memberObject<RowOf<'webhook_attempts'>>('WebhookAttempt', {
  description: 'One attempt to deliver a webhook. Only the status of the response is stored.',
  fields: t => ({
    ...expose(t, 'Int!', {
      number: 'The number of the attempt, starting at 1.',
      latencyMs: 'The duration of the attempt in milliseconds.',
    }),
    ...expose(t, WebhookAttemptCauseEnum, { cause: 'Why the attempt was made.' }),
    ...expose(t, 'DateTime!', { attemptedAt: 'When the attempt started.' }),
    ...expose(t, WebhookOutcomeEnum, { outcome: 'The outcome of the attempt.' }),
    ...expose(t, 'Int', { status: 'The HTTP status of the response; null if there was none.' }),
    ...expose(t, 'String!', {
      reason: 'A description of the outcome. It contains no part of the response body.',
    }),
  }),
});

export const WebhookDeliveryRef: ObjectRef<SchemaTypes, WebhookDelivery> = memberNode(
  'WebhookDelivery',
  webhookDeliveryById,
  {
    description: 'The delivery of one outbound event to one webhook endpoint.',
    fields: t => ({
      endpoint: t.field({
        type: WebhookEndpointRef,
        description: 'The webhook endpoint; null if it was deleted.',
        resolve: ({ endpointId }, _args, graph) => webhookEndpointById(graph, endpointId),
      }),
      ...expose(t, 'String!', {
        eventId:
          'The value of the `webhook-id` header. The ID is the same for all attempts, replays and endpoints, so that receivers can recognize duplicates.',
        eventType: 'The type of the outbound event.',
      }),
      ...expose(t, 'Boolean!', {
        isTest: 'Whether this is a test delivery, which does not report a real event.',
      }),
      ...expose(t, WebhookDeliveryStateEnum, { state: 'The state of the delivery.' }),
      attemptCount: t.exposeInt('attempts', {
        nullable: false,
        description: 'The number of attempts.',
      }),
      lastOutcome: t.expose('lastOutcome', {
        type: WebhookOutcomeEnum,
        description: 'The outcome of the last attempt; null before the first attempt.',
      }),
      ...expose(t, 'Int', {
        lastStatus: 'The HTTP status from the last response; null if there was none.',
        lastLatencyMs:
          'The duration of the last attempt in milliseconds; null before the first attempt.',
      }),
      attempts: t.field({
        type: [AttemptRef],
        nullable: false,
        description: `Up to ${ATTEMPTS_SHOWN_MAX} of the most recent attempts, latest first.`,
        // Most deliveries have one attempt; the schedule has ten.
        complexity: { field: 1, multiplier: 5 },
        resolve: async ({ id }, _args, graph) =>
          (await attemptsByDelivery(graph, id))?.attempts ?? [],
      }),
      body: t.string({
        description: 'The request body, byte for byte; null once the event has been deleted.',
        // Each body is as large as a whole row.
        complexity: { field: 1, multiplier: 1 },
        resolve: async ({ eventId }, _args, graph) => (await bodyByEvent(graph, eventId))?.body,
      }),
      ...expose(t, 'DateTime', {
        nextAttemptAt: 'When the next attempt is due; null if none is scheduled.',
        finishedAt:
          'When the delivery succeeded, failed or was canceled; null while it is pending.',
      }),
      ...expose(t, 'DateTime!', {
        createdAt: 'When the delivery was created, moments after the event occurred.',
      }),
    }),
  },
);

const WebhookDeliveryConnection = connectionType('WebhookDelivery', WebhookDeliveryRef);

pageQuery('webhookDeliveries', {
  type: WebhookDeliveryConnection,
  description:
    'The webhook deliveries in the viewer’s workspace, newest first. Finished deliveries are kept for 30 days.',
  args: arg => ({
    endpointId: arg.globalID({ description: 'Filters by webhook endpoint.' }),
    state: arg({ type: WebhookDeliveryStateEnum, description: 'Filters by state.' }),
    isRetrying: arg.boolean({
      description: 'Filters by whether the delivery is pending after a failed attempt.',
    }),
    outcome: arg({
      type: WebhookOutcomeEnum,
      description: 'Filters by the outcome of the last attempt.',
    }),
    eventType: arg.string({
      description: 'Filters by event type, or by a family such as `payment.*`.',
    }),
    since: arg({
      type: 'DateTime',
      description: 'Returns deliveries created at or after this time.',
    }),
    until: arg({
      type: 'DateTime',
      description: 'Returns deliveries created before this time.',
    }),
  }),
  page: async (context, page, { endpointId, ...filter }) => {
    if (endpointId != null && endpointId.typename !== 'WebhookEndpoint')
      return reject('INVALID_ID', { field: ['endpointId'] });
    return webhookDeliveriesPage(context, page, { ...filter, endpointId: endpointId?.id });
  },
});
