import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
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
    RECEIVED:
      'The event is stored but has not been processed yet. Processing normally starts within a second.',
    PROCESSED: 'The event was processed, and its effects were applied.',
    IGNORED:
      'The event is not relevant, or it is about an unknown object. If the object is unknown, the event is retried at increasing intervals for 30 days. It is also retried as soon as the object becomes known, even after the 30 days.',
    FAILED: 'Processing failed and will be retried.',
    PARKED:
      'Processing failed too many times, or the event could not be read. A platform admin must replay it. An event that could not be read is also retried automatically after an upgrade to a release that can read more kinds of events.',
  },
);

const GatewayEventRef = memberObject<GatewayEventView>('GatewayEvent', {
  description: 'An event received from the payment gateway.',
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
    ...expose(t, '[String!]!', { effects: 'The names of the effects that the event caused.' }),
    ...expose(t, 'Int!', { attempts: 'The number of unsuccessful attempts to process the event.' }),
    ...expose(t, 'String', {
      error:
        'Why the event was ignored or could not be processed; null if neither applies. The text contains no values from the body.',
    }),
    ...expose(t, 'DateTime', {
      eventAt:
        'When the event occurred, according to the payment gateway’s clock; null if the body does not contain the time.',
    }),
    receivedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the event was received.',
    }),
    ...expose(t, 'DateTime', {
      processedAt: 'When the event was processed; null if it has not been processed yet.',
      nextAttemptAt: 'When the event will be retried next; null if no retry is scheduled.',
    }),
    body: t.string({
      description:
        'The body of the event as JSON, with numbers as strings. Personal data and free text are replaced by `(withheld)`. Null if the body is not JSON.',
      complexity: BODY_COST,
      resolve: async ({ id }, _args, graph) => (await bodyByEvent(graph, id))?.body,
    }),
  }),
});

const GatewayEventConnection = connectionType('GatewayEvent', GatewayEventRef);

pageQuery('gatewayEvents', {
  type: GatewayEventConnection,
  description: 'The payment gateway events in the viewer’s workspace.',
  args: arg => ({
    state: arg({ type: GatewayEventStateEnum, description: 'Filters by processing state.' }),
  }),
  page: (context, page, { state }) => gatewayEventsPage(context, page, state ?? undefined),
});

builder.queryField('gatewayEvent', t =>
  t.field({
    type: GatewayEventRef,
    description:
      'A payment gateway event in the viewer’s workspace or, for platform admins, in any workspace; null if it does not exist.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The global ID of the event.' }) },
    resolve: (_root, { id }, { context }) =>
      id.typename === 'GatewayEvent' ? gatewayEventById(context, id.id) : undefined,
  }),
);

pageQuery('platformGatewayEvents', {
  type: GatewayEventConnection,
  description:
    'The payment gateway events in a given processing state, across all workspaces. Platform admins only.',
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
    'Replays up to 100 payment gateway events that had no effect. Either all of them are replayed or none are. Platform admins only.',
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
