import { mutation } from '../platform/graph/mutation.ts';
import { WebhookDeliveryRef } from './delivery.graph.ts';
import { webhookDeliveriesByIds } from './delivery.reads.ts';
import { webhookDeliveriesReplay } from './delivery.replay.ts';
import { REPLAY_AT_ONCE_MAX, REPLAY_MAX } from './dispatch/queue-replay.ts';
import {
  webhookDeliveriesReplayContract,
  webhookEndpointReplayContract,
} from './endpoint.contract.ts';
import { WebhookEndpointRef } from './endpoint.graph.ts';
import { webhookEndpointReplay } from './endpoint.replay.ts';

const DELIVERIES_MAX = 100;

mutation({
  name: 'webhookDeliveriesReplay',
  description: `Sends deliveries again under the same ids, whatever became of them: at most ${DELIVERIES_MAX}, all of them or none.`,
  access: 'owner',
  input: t => ({ ids: t.globalIDList({ required: true, description: 'The deliveries.' }) }),
  contract: webhookDeliveriesReplayContract,
  codes: ['NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_DELIVERY_NOT_REPLAYABLE'],
  action: webhookDeliveriesReplay,
  payload: t => ({
    webhookDeliveries: t.field({
      type: [WebhookDeliveryRef],
      description: 'The deliveries, on their way again.',
      complexity: { field: 1, multiplier: DELIVERIES_MAX },
      resolve: async ({ result }, _args, { context }) =>
        result && [...(await webhookDeliveriesByIds(context, result.ids))],
    }),
  }),
});

mutation({
  name: 'webhookEndpointReplay',
  description: `Sends again what the endpoint did not get: all of it that is still kept, or that of a time. At most ${REPLAY_MAX.toLocaleString('en')} at once, the oldest first; tests are left out.`,
  access: 'owner',
  target: WebhookEndpointRef,
  input: t => ({
    since: t.field({ type: 'DateTime', description: 'Only those made out from then on.' }),
    until: t.field({ type: 'DateTime', description: 'Only those made out before then.' }),
    includeDelivered: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Also what was delivered, for a receiver that lost it; then `since` is needed.',
    }),
  }),
  contract: webhookEndpointReplayContract,
  codes: ['NOT_FOUND', 'INVALID_RANGE', 'WEBHOOK_ENDPOINT_DISABLED'],
  action: webhookEndpointReplay,
  payload: t => ({
    count: t.int({
      description: `How many are sent again; at most ${REPLAY_MAX.toLocaleString('en')}, the rest when these are through.`,
      resolve: ({ result }) => result?.count,
    }),
    isByJob: t.boolean({
      description: `Whether a job does it, which begins within about a second: from ${REPLAY_AT_ONCE_MAX.toLocaleString('en')} on.`,
      resolve: ({ result }) => result?.isByJob,
    }),
  }),
});
