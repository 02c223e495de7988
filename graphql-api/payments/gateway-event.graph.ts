import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { gatewayEventsReplayContract } from './gateway-event.contract.ts';
import {
  type GatewayEventView,
  gatewayEventBodies,
  gatewayEventById,
  gatewayEventsByIds,
  gatewayEventsPage,
  platformGatewayEventsPage,
} from './gateway-event.reads.ts';
import { gatewayEventsReplay } from './inbox/replay-events.ts';

const bodyByEvent = loaderById(gatewayEventBodies);
/** It is read by itself, and taken apart. */
const BODY_COST = { field: 2, multiplier: 1 };

export const GatewayEventStateEnum = builder.enumType('GatewayEventState', {
  description: 'How far an event of the payment gateway is.',
  values: {
    RECEIVED: { description: 'Kept; it takes effect within a second.' },
    PROCESSED: { description: 'It took effect.' },
    IGNORED: {
      description:
        'Of no concern to us, or about what we don’t know; with nextAttemptAt, it waits to become known.',
    },
    FAILED: { description: 'It failed, and tries again.' },
    PARKED: {
      description:
        'It failed too often, or could not be read, and waits for a platform admin. What could not be read is tried again by a release that reads more.',
    },
  },
});

const GatewayEventRef = builder.objectRef<GatewayEventView>('GatewayEvent').implement({
  description: 'What the payment gateway told us, and what came of it.',
  authScopes: { member: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'What gatewayEventsReplay takes.',
      resolve: ({ id }) => encodeNodeId('GatewayEvent', id),
    }),
    workspaceId: t.id({
      description: 'Whose it is; null while that is unknown, and for the platform’s own billing.',
      resolve: ({ workspaceId }) => workspaceId && encodeNodeId('Workspace', workspaceId),
    }),
    type: t.exposeString('type', { nullable: false, description: 'The gateway’s name for it.' }),
    family: t.exposeString('family', { nullable: false, description: 'What it is about.' }),
    state: t.field({
      type: GatewayEventStateEnum,
      nullable: false,
      description: 'How far it is.',
      resolve: ({ state }) => state,
    }),
    effects: t.stringList({
      nullable: false,
      description: 'What happened, by our names for it.',
      resolve: ({ effects }) => [...effects],
    }),
    attempts: t.exposeInt('attempts', {
      nullable: false,
      description: 'How often it was tried in vain.',
    }),
    error: t.exposeString('error', {
      description: 'Why it failed or waits, without anything of what was sent.',
    }),
    eventAt: t.expose('eventAt', {
      type: 'DateTime',
      description: 'When it happened, by the gateway’s clock.',
    }),
    receivedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it came.',
    }),
    processedAt: t.expose('processedAt', {
      type: 'DateTime',
      description: 'When it was dealt with.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      description: 'When it is tried next; null where it is not.',
    }),
    body: t.string({
      description:
        'What was sent, as JSON, numbers as text. Who paid, and what anybody wrote, is `(withheld)`; null where it is no JSON.',
      complexity: BODY_COST,
      resolve: async ({ id }, _args, graph) => (await bodyByEvent(graph, id))?.body,
    }),
  }),
});

const GatewayEventConnection = connectionType('GatewayEvent', GatewayEventRef);

builder.queryField('gatewayEvents', t =>
  t.field({
    type: GatewayEventConnection,
    nullable: false,
    description: 'The payment gateway’s events of the viewer’s workspace.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      state: t.arg({ type: GatewayEventStateEnum, description: 'Only those that are so far.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { state, ...page }, { context }) =>
      connectionOfPage(await gatewayEventsPage(context, page, state ?? undefined), page),
  }),
);

builder.queryField('gatewayEvent', t =>
  t.field({
    type: GatewayEventRef,
    description:
      'One event of the viewer’s workspace; of anybody’s for platform admins. Null where there is none.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'Its global id.' }) },
    resolve: (_root, { id }, { context }) =>
      id.typename === 'GatewayEvent' ? gatewayEventById(context, id.id) : undefined,
  }),
);

builder.queryField('platformGatewayEvents', t =>
  t.field({
    type: GatewayEventConnection,
    nullable: false,
    description:
      'Everybody’s events of one state, for platform admins: the parked ones, unless said.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      state: t.arg({ type: GatewayEventStateEnum, description: 'PARKED unless said.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { state, ...page }, { context }) =>
      connectionOfPage(await platformGatewayEventsPage(context, page, state ?? 'PARKED'), page),
  }),
);

mutation({
  name: 'gatewayEventsReplay',
  description:
    'Has events that took no effect tried again, at most 100, all of them or none, for platform admins.',
  access: 'platformAdmin',
  input: t => ({ ids: t.globalIDList({ required: true, description: 'The events.' }) }),
  contract: gatewayEventsReplayContract,
  codes: ['NOT_FOUND'],
  action: gatewayEventsReplay,
  payload: t => ({
    events: t.field({
      type: [GatewayEventRef],
      description: 'The events, on their way again.',
      resolve: async ({ result }, _args, { context }) =>
        result && [...(await gatewayEventsByIds(context, result.ids))],
    }),
  }),
});
