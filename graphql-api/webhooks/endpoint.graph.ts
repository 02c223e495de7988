import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { ENDPOINTS_MAX } from './endpoint.create.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';
import {
  COUNTED_MAX,
  type WebhookCounts,
  webhookCountsByEndpoints,
  webhookEndpointsByIds,
  webhookEndpointsPage,
  webhookSecretsByEndpoints,
} from './endpoint.reads.ts';

export const webhookEndpointById = loaderById(webhookEndpointsByIds);
const secretByEndpoint = loaderById(webhookSecretsByEndpoints);
const countsByEndpoint = loaderById(webhookCountsByEndpoints);

const StateEnum = builder.enumType('WebhookEndpointState', {
  description: 'Whether an endpoint is told of anything.',
  values: {
    ENABLED: { description: 'It is.' },
    DISABLED: { description: 'Somebody disabled it.' },
    AUTO_DISABLED: { description: 'It was disabled since it answered 410, or failed for days.' },
  } as const,
});

const ReasonEnum = builder.enumType('WebhookEndpointDisabledReason', {
  description: 'Why an endpoint is disabled.',
  values: {
    BY_OPERATOR: { description: 'Somebody wanted it.' },
    GONE: { description: 'It answered 410: it wants no more.' },
    FAILING: { description: 'It failed for five days without one success.' },
  } as const,
});

const CountsRef = builder.objectRef<WebhookCounts>('WebhookEndpointCounts').implement({
  description: 'What became of an endpoint’s latest deliveries.',
  authScopes: { member: true },
  fields: t => ({
    since: t.expose('since', {
      type: 'DateTime',
      nullable: false,
      description: `From when they are counted: 24 hours ago, or, where there were more, the time of the ${COUNTED_MAX.toLocaleString('en')}th last.`,
    }),
    delivered: t.exposeInt('delivered', {
      nullable: false,
      description: 'How many were delivered.',
    }),
    failed: t.exposeInt('failed', { nullable: false, description: 'How many were given up.' }),
    pending: t.exposeInt('pending', {
      nullable: false,
      description: 'How many are under way, or will be tried again.',
    }),
    cancelled: t.exposeInt('cancelled', {
      nullable: false,
      description: 'How many were not sent, since the endpoint was disabled.',
    }),
  }),
});

/** Thousands of rows are looked at: as much as a question to the warehouse. */
const COUNTS_COST = { field: QUESTION_POINTS, multiplier: 1 };

export const WebhookEndpointRef: ObjectRef<SchemaTypes, WebhookEndpoint> = builder.node(
  WebhookEndpoint,
  {
    name: 'WebhookEndpoint',
    description: 'Where a workspace is told what happens, by webhooks.',
    authScopes: { member: true },
    id: { resolve: ({ id }) => id },
    loadOne: (id, graph) => webhookEndpointById(graph, id),
    fields: t => ({
      url: t.exposeString('url', { nullable: false, description: 'Where webhooks are posted to.' }),
      description: t.exposeString('description', {
        nullable: false,
        description: 'What people say about it.',
      }),
      eventTypes: t.exposeStringList('eventTypes', {
        nullable: false,
        description: 'What it has chosen: types, or families such as `payment.*`; empty is all.',
      }),
      state: t.field({
        type: StateEnum,
        nullable: false,
        description: 'Whether it is told of anything.',
        resolve: ({ state }) => state,
      }),
      disabledReason: t.field({
        type: ReasonEnum,
        description: 'Why it is disabled.',
        resolve: ({ disabledReason }) => disabledReason,
      }),
      disabledAt: t.expose('disabledAt', {
        type: 'DateTime',
        description: 'Since when it is disabled.',
      }),
      failingSince: t.expose('failingSince', {
        type: 'DateTime',
        description: 'The first failure after the last success; null while it works.',
      }),
      lastSuccessAt: t.expose('lastSuccessAt', {
        type: 'DateTime',
        description: 'When it last took a webhook, to some seconds.',
      }),
      secretSetAt: t.field({
        type: 'DateTime',
        description: 'When its secret was made, which is never shown again.',
        resolve: async ({ id }, _args, graph) => (await secretByEndpoint(graph, id))?.setAt,
      }),
      previousSecretUntil: t.field({
        type: 'DateTime',
        description: 'Until when the secret before it signs too; null where it does no more.',
        resolve: async ({ id }, _args, graph) => (await secretByEndpoint(graph, id))?.previousUntil,
      }),
      lastDay: t.field({
        type: CountsRef,
        nullable: false,
        description: 'What became of the deliveries of the last 24 hours.',
        complexity: COUNTS_COST,
        resolve: async ({ id }, _args, graph) =>
          (await countsByEndpoint(graph, id)) ?? {
            id,
            since: new Date(graph.context.deps.clock.nowMs()),
            delivered: 0,
            failed: 0,
            pending: 0,
            cancelled: 0,
          },
      }),
      version: t.exposeInt('version', {
        nullable: false,
        description: 'Goes up with each change; an edit names the one that it changes.',
      }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        nullable: false,
        description: 'When it was made.',
      }),
      updatedAt: t.expose('updatedAt', {
        type: 'DateTime',
        nullable: false,
        description: 'When it was changed last.',
      }),
    }),
  },
);

const WebhookEndpointConnection = connectionType('WebhookEndpoint', WebhookEndpointRef);

builder.queryField('webhookEndpoints', t =>
  t.field({
    type: WebhookEndpointConnection,
    nullable: false,
    description: `The webhook endpoints of the viewer’s workspace, at most ${ENDPOINTS_MAX}.`,
    authScopes: { member: true },
    args: pageArgs(t.arg),
    // However large the page, there are no more.
    complexity: ({ first }) => pageCost({ first: Math.min(first, ENDPOINTS_MAX) }),
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await webhookEndpointsPage(context, page), page),
  }),
);
