import { builder } from '../platform/graph/builder.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { WebhookDeliveryRef } from './delivery.graph.ts';
import { webhookDeliveries } from './delivery.reads.ts';
import { REPLAY_AT_ONCE_MAX, REPLAY_MAX } from './dispatch/queue-replay.ts';
import {
  webhookDeliveriesReplayContract,
  webhookEndpointReplayContract,
} from './endpoint.contract.ts';
import { COUNTS_COST, WebhookEndpointRef } from './endpoint.graph.ts';
import {
  COUNTED_MAX,
  type WebhookWaiting,
  webhookReplayCount,
  webhookWaitingByEndpoints,
} from './endpoint.reads.ts';
import { webhookDeliveriesReplay, webhookEndpointReplay } from './replay.actions.ts';

const DELIVERIES_MAX = 100;

mutation({
  name: 'webhookDeliveriesReplay',
  description: `Replays up to ${DELIVERIES_MAX} webhook deliveries in any state. Either all of them are replayed or none are. The replayed webhooks keep their IDs. If a delivery is pending, its next attempt is made immediately and its retry schedule starts again.`,
  access: 'owner',
  input: t => ({
    ids: t.globalIDList({ required: true, description: 'The IDs of the webhook deliveries.' }),
  }),
  contract: webhookDeliveriesReplayContract,
  codes: ['NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_DELIVERY_NOT_REPLAYABLE'],
  action: webhookDeliveriesReplay,
  payload: t => ({
    webhookDeliveries: t.field({
      type: [WebhookDeliveryRef],
      description: 'The replayed webhook deliveries.',
      complexity: { field: 1, multiplier: DELIVERIES_MAX },
      resolve: async ({ result }, _args, { context }) =>
        result && [...(await webhookDeliveries.byIds(context, result.ids))],
    }),
  }),
});

mutation({
  name: 'webhookEndpointReplay',
  description: `Replays an endpoint’s undelivered webhooks that are still stored: deliveries that failed, were canceled, or are waiting for their next attempt. \`since\` and \`until\` limit the replay to a time range. If a delivery is waiting, its next attempt is made immediately and its retry schedule starts again; no second delivery is created. Each call replays at most ${REPLAY_MAX.toLocaleString('en')} deliveries. Test deliveries are not replayed.`,
  access: 'owner',
  target: WebhookEndpointRef,
  input: t => ({
    since: t.field({
      type: 'DateTime',
      description: 'Replays only deliveries created at or after this time.',
    }),
    until: t.field({
      type: 'DateTime',
      description: 'Replays only deliveries created before this time.',
    }),
    includeDelivered: t.boolean({
      required: true,
      defaultValue: false,
      description:
        'Whether to also replay deliveries that succeeded, in case the receiver lost them. Requires `since`.',
    }),
    pendingOnly: t.boolean({
      required: true,
      defaultValue: false,
      description:
        'Whether to replay only deliveries that are waiting for their next attempt. Cannot be combined with `includeDelivered`.',
    }),
  }),
  contract: webhookEndpointReplayContract,
  codes: ['NOT_FOUND', 'INVALID_RANGE', 'WEBHOOK_ENDPOINT_DISABLED'],
  action: webhookEndpointReplay,
  payload: t => ({
    count: t.int({
      description: `The number of deliveries to replay, at most ${REPLAY_MAX.toLocaleString('en')}. If the number is ${REPLAY_MAX.toLocaleString('en')}, more deliveries may remain: call the mutation again after these have been replayed.`,
      resolve: ({ result }) => result?.count,
    }),
    isByJob: t.boolean({
      description: `Whether the deliveries are replayed by a background job, which starts within about a second. True if \`count\` is greater than ${REPLAY_AT_ONCE_MAX.toLocaleString('en')}.`,
      resolve: ({ result }) => result?.isByJob,
    }),
  }),
});

const WaitingRef = memberObject<WebhookWaiting>('WebhookEndpointWaiting', {
  description: 'The deliveries to a webhook endpoint that are waiting for their next attempt.',
  fields: t => ({
    ...expose(t, 'Int!', {
      count: `The number of waiting deliveries, at most ${COUNTED_MAX.toLocaleString('en')}.`,
    }),
    ...expose(t, 'DateTime', {
      nextAttemptAt:
        'When the next of these deliveries is due to be retried; null if no delivery is waiting.',
    }),
  }),
});

/** A count reads up to ten times as many deliveries as the other counts of an endpoint. */
const REPLAY_COUNT_POINTS = 5 * QUESTION_POINTS;

const waitingByEndpoint = loaderById(webhookWaitingByEndpoints);

builder.objectFields(WebhookEndpointRef, t => ({
  waiting: t.field({
    type: WaitingRef,
    nullable: false,
    description:
      'The deliveries that are waiting for their next attempt. `webhookEndpointReplay` with `pendingOnly` sends them now.',
    complexity: COUNTS_COST,
    resolve: async ({ id }, _args, graph) =>
      (await waitingByEndpoint(graph, id)) ?? { id, count: 0, nextAttemptAt: null },
  }),
  replayCount: t.int({
    nullable: false,
    description: `The number of deliveries that \`webhookEndpointReplay\` would replay now, at most ${REPLAY_MAX.toLocaleString('en')}.`,
    args: {
      since: t.arg({
        type: 'DateTime',
        description: 'Counts only deliveries created at or after this time.',
      }),
      includeDelivered: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether to also count deliveries that succeeded.',
      }),
    },
    complexity: { field: REPLAY_COUNT_POINTS, multiplier: 1 },
    resolve: (endpoint, range, { context }) => webhookReplayCount(context, endpoint, range),
  }),
}));
