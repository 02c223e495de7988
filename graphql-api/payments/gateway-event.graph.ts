import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { outboxRowsContract } from '../platform/operations.contract.ts';
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
/** The body is loaded in a query of its own, and parsed. */
const BODY_COST = { field: 2, multiplier: 1 };

export const GatewayEventStateEnum = describedEnum(
  'GatewayEventState',
  'The processing state of a payment gateway event.',
  {
    RECEIVED: 'Stored and waiting to be processed, normally within a second.',
    PROCESSED: 'Processed. The effects of the event were applied.',
    IGNORED:
      'Not relevant, or about an unknown object. If `nextAttemptAt` is set, the event is retried until the object becomes known.',
    FAILED: 'Processing failed and will be retried.',
    PARKED:
      'Processing failed too often, or the event could not be read. A platform admin must replay it. Unreadable events are also retried after an upgrade that may be able to read them.',
  },
);

const GatewayEventRef = builder.objectRef<GatewayEventView>('GatewayEvent').implement({
  description: 'An event received from the payment gateway.',
  authScopes: { member: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'The global ID to pass to `gatewayEventsReplay`.',
      resolve: ({ id }) => encodeNodeId('GatewayEvent', id),
    }),
    workspaceId: t.id({
      description:
        'The ID of the workspace that owns the event; null if the workspace is unknown or the event is about the platform’s own billing.',
      resolve: ({ workspaceId }) => workspaceId && encodeNodeId('Workspace', workspaceId),
    }),
    ...expose(t, 'String!', {
      type: 'The payment gateway’s event type.',
      family:
        'The kind of object that the event is about, such as `payment` or `refund`; `unknown` if the service does not know the event type.',
    }),
    ...expose(t, GatewayEventStateEnum, { state: 'The processing state.' }),
    effects: t.stringList({
      nullable: false,
      description: 'The names of the effects that the event caused.',
      resolve: ({ effects }) => [...effects],
    }),
    ...expose(t, 'Int!', { attempts: 'The number of failed attempts to process the event.' }),
    ...expose(t, 'String', {
      error:
        'Why the event was ignored or could not be processed, without values from the body; null if neither applies.',
    }),
    ...expose(t, 'DateTime', {
      eventAt:
        'When the event occurred, by the payment gateway’s clock; null if the body does not contain the time.',
    }),
    receivedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the event was received.',
    }),
    ...expose(t, 'DateTime', {
      processedAt: 'When the event was processed; null if it has not been processed.',
      nextAttemptAt: 'When the event is next retried; null if no retry is scheduled.',
    }),
    body: t.string({
      description:
        'The body of the event as JSON, with numbers as text. Personal data and free text are replaced by `(withheld)`. Null if the body is not JSON.',
      complexity: BODY_COST,
      resolve: async ({ id }, _args, graph) => (await bodyByEvent(graph, id))?.body,
    }),
  }),
});

const GatewayEventConnection = connectionType('GatewayEvent', GatewayEventRef);

pageQuery('gatewayEvents', {
  type: GatewayEventConnection,
  description: 'The payment gateway events of the viewer’s workspace.',
  args: arg => ({
    state: arg({ type: GatewayEventStateEnum, description: 'Filters by processing state.' }),
  }),
  page: (context, page, { state }) => gatewayEventsPage(context, page, state ?? undefined),
});

builder.queryField('gatewayEvent', t =>
  t.field({
    type: GatewayEventRef,
    description:
      'A payment gateway event of the viewer’s workspace, or of any workspace for platform admins; null if it does not exist.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The global ID of the event.' }) },
    resolve: (_root, { id }, { context }) =>
      id.typename === 'GatewayEvent' ? gatewayEventById(context, id.id) : undefined,
  }),
);

pageQuery('platformGatewayEvents', {
  type: GatewayEventConnection,
  description:
    'The payment gateway events that are in one processing state, across all workspaces. Platform admins only.',
  access: 'platformAdmin',
  args: arg => ({
    state: arg({
      type: GatewayEventStateEnum,
      description: 'Filters by processing state. Defaults to PARKED.',
    }),
  }),
  page: (context, page, { state }) => platformGatewayEventsPage(context, page, state ?? 'PARKED'),
});

mutation({
  name: 'gatewayEventsReplay',
  description:
    'Replays up to 100 payment gateway events that had no effect; either all are replayed or none. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({ ids: t.globalIDList({ required: true, description: 'The IDs of the events.' }) }),
  contract: outboxRowsContract,
  codes: ['NOT_FOUND'],
  action: gatewayEventsReplay,
  payload: t => ({
    events: t.field({
      type: [GatewayEventRef],
      description: 'The events, which are now waiting to be processed.',
      resolve: async ({ result }, _args, { context }) =>
        result && [...(await gatewayEventsByIds(context, result.ids))],
    }),
  }),
});
