import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageCost, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { ENDPOINTS_MAX } from './endpoint.actions.ts';
import type { WebhookEndpoint } from './endpoint.entity.ts';
import {
  COUNTED_MAX,
  type WebhookCounts,
  webhookCountsByEndpoints,
  webhookEndpoints,
  webhookSecretsByEndpoints,
} from './endpoint.reads.ts';

export const webhookEndpointById = loaderById(webhookEndpoints.byIds);
const secretByEndpoint = loaderById(webhookSecretsByEndpoints);
const countsByEndpoint = loaderById(webhookCountsByEndpoints);

const StateEnum = describedEnum('WebhookEndpointState', 'The state of a webhook endpoint.', {
  ENABLED: 'The endpoint receives webhooks.',
  DISABLED: 'A member disabled the endpoint.',
  AUTO_DISABLED:
    'The endpoint was disabled automatically because it responded with 410 or because deliveries failed for five days and none succeeded.',
});

const ReasonEnum = describedEnum(
  'WebhookEndpointDisabledReason',
  'Why a webhook endpoint is disabled.',
  {
    BY_OPERATOR: 'A member disabled the endpoint.',
    GONE: 'The endpoint responded with 410.',
    FAILING: 'Deliveries failed for five days, and none succeeded.',
  },
);

const CountsRef = memberObject<WebhookCounts>('WebhookEndpointCounts', {
  description:
    'The number of recent deliveries to a webhook endpoint, by state. Tests are not counted.',
  fields: t => ({
    ...expose(t, 'DateTime!', {
      since: `The start of the period in which deliveries are counted: 24 hours ago or, if only the latest ${COUNTED_MAX.toLocaleString('en')} deliveries are counted, the creation time of the oldest of these.`,
    }),
    ...expose(t, 'Int!', {
      delivered: 'The number of successful deliveries.',
      failed: 'The number of failed deliveries.',
      pending: 'The number of pending deliveries.',
      retrying: 'The number of pending deliveries whose last attempt failed.',
      cancelled: 'The number of deliveries canceled because the endpoint was disabled.',
    }),
  }),
});

/** The query reads thousands of rows and costs as much as a warehouse query. */
export const COUNTS_COST = { field: QUESTION_POINTS, multiplier: 1 };

export const WebhookEndpointRef: ObjectRef<SchemaTypes, WebhookEndpoint> = memberNode(
  'WebhookEndpoint',
  webhookEndpointById,
  {
    description: 'A URL to which a workspace’s outbound events are sent.',
    fields: t => ({
      ...expose(t, 'String!', {
        url: 'The URL that webhooks are sent to.',
        description: 'A description for other members.',
      }),
      ...expose(t, '[String!]!', {
        eventTypes:
          'The event types and families (such as `payment.*`) to which the endpoint subscribes; empty if it receives all types.',
      }),
      ...expose(t, StateEnum, { state: 'The state of the endpoint.' }),
      disabledReason: t.expose('disabledReason', {
        type: ReasonEnum,
        description: 'Why the endpoint was disabled; null if it is enabled.',
      }),
      ...expose(t, 'DateTime', {
        disabledAt: 'When the endpoint was disabled; null if it is enabled.',
        failingSince:
          'When the first failure since the last success occurred; null if the endpoint is not failing.',
        lastSuccessAt:
          'When a webhook was last delivered, accurate to a few seconds; null if never.',
      }),
      secretSetAt: t.field({
        type: 'DateTime',
        description: 'When the current secret was created. The secret itself is not shown again.',
        resolve: async ({ id }, _args, graph) => (await secretByEndpoint(graph, id))?.setAt,
      }),
      previousSecretUntil: t.field({
        type: 'DateTime',
        description:
          'The time until which webhooks are also signed with the previous secret; null if no previous secret is in use.',
        resolve: async ({ id }, _args, graph) => (await secretByEndpoint(graph, id))?.previousUntil,
      }),
      lastDay: t.field({
        type: CountsRef,
        nullable: false,
        description:
          'The number of deliveries in the last 24 hours, by state. Tests are not counted.',
        complexity: COUNTS_COST,
        resolve: async ({ id }, _args, graph) =>
          (await countsByEndpoint(graph, id)) ?? {
            id,
            since: new Date(graph.context.deps.clock.nowMs()),
            delivered: 0,
            failed: 0,
            pending: 0,
            retrying: 0,
            cancelled: 0,
          },
      }),
      ...expose(t, 'Int!', {
        version:
          'A counter that increases with each change. An update must include its current value.',
      }),
      ...expose(t, 'DateTime!', {
        createdAt: 'When the endpoint was created.',
        updatedAt: 'When the endpoint was last changed.',
      }),
    }),
  },
);

pageQuery('webhookEndpoints', {
  type: connectionType('WebhookEndpoint', WebhookEndpointRef),
  description: `The webhook endpoints in the viewer’s workspace. A workspace can have at most ${ENDPOINTS_MAX} endpoints.`,
  // A page never holds more than `ENDPOINTS_MAX` endpoints, whatever `first` is.
  cost: ({ first }) => pageCost({ first: Math.min(first, ENDPOINTS_MAX) }),
  page: webhookEndpoints.page,
});
