import { changed, mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { secretsOf } from '../platform/secrets.ts';
import { WebhookDeliveryRef, webhookDeliveryById } from './delivery.graph.ts';
import {
  type EndpointWithSecret,
  webhookEndpointCreate,
  webhookEndpointDelete,
  webhookEndpointDisable,
  webhookEndpointEnable,
  webhookEndpointTest,
  webhookEndpointUpdate,
  webhookSecretRotate,
} from './endpoint.actions.ts';
import {
  webhookEndpointCreateContract,
  webhookEndpointIdContract,
  webhookEndpointUpdateContract,
  webhookSecretRotateContract,
} from './endpoint.contract.ts';
import { WebhookEndpointRef, webhookEndpointById } from './endpoint.graph.ts';
import { webhookSecretPlace } from './signature.ts';

/** Mutations that only name the endpoint. */
const byId = {
  access: 'owner',
  target: WebhookEndpointRef,
  contract: webhookEndpointIdContract,
  codes: ['NOT_FOUND'],
} as const;

const CHOICE =
  'The event types and families (such as `payment.*`) to subscribe to; see `webhookEventTypes`.';

mutation({
  name: 'webhookEndpointCreate',
  description:
    'Creates a webhook endpoint. It receives outbound events that occur from now on. Its secret is returned only once.',
  access: 'owner',
  input: t => ({
    url: t.string({
      required: true,
      description:
        'The URL that webhooks are sent to. It must use https on port 443 and a publicly reachable host.',
    }),
    description: t.string({ description: 'A description for other members.' }),
    eventTypes: t.stringList({
      description: `${CHOICE} If omitted or empty, the endpoint receives all types.`,
    }),
  }),
  contract: webhookEndpointCreateContract,
  codes: ['WEBHOOK_URL_REFUSED', 'TOO_MANY_WEBHOOK_ENDPOINTS'],
  process: webhookEndpointCreate,
  payload: t => ({
    webhookEndpoint: endpointField(t, 'The new webhook endpoint.'),
    secret: secretField(t),
  }),
});

mutation({
  name: 'webhookEndpointUpdate',
  description:
    'Updates a webhook endpoint. If the URL changes, later attempts go to the new URL. Omitted fields are unchanged.',
  access: 'owner',
  target: WebhookEndpointRef,
  input: t => ({
    version: t.int({
      required: true,
      description:
        'The `version` that the update is based on. The update fails if the endpoint has a newer `version`.',
    }),
    url: t.string({ description: 'The URL that webhooks are sent to.' }),
    description: t.string({
      description: 'A description for other members. Null removes the description.',
    }),
    eventTypes: t.stringList({
      description: `${CHOICE} If null or empty, the endpoint receives all types.`,
    }),
  }),
  contract: webhookEndpointUpdateContract,
  codes: ['NOT_FOUND', 'WEBHOOK_ENDPOINT_CHANGED', 'WEBHOOK_URL_REFUSED'],
  process: webhookEndpointUpdate,
  payload: t => ({ webhookEndpoint: endpointField(t, 'The updated webhook endpoint.') }),
});

mutation({
  name: 'webhookSecretRotate',
  description:
    'Creates a new signing secret for a webhook endpoint. The secret is returned only once. For one day, or for the time given in `overlapSeconds`, webhooks are signed with both the new and the previous secret, so that receivers can switch to the new one.',
  access: 'owner',
  target: WebhookEndpointRef,
  input: t => ({
    overlapSeconds: t.int({
      description:
        'How long webhooks are also signed with the previous secret, in seconds: from 0 to 2592000 (30 days). Defaults to one day.',
    }),
  }),
  contract: webhookSecretRotateContract,
  codes: ['NOT_FOUND'],
  action: webhookSecretRotate,
  payload: t => ({
    webhookEndpoint: endpointField(
      t,
      'The webhook endpoint. Its `previousSecretUntil` is the time until which webhooks are also signed with the previous secret.',
    ),
    secret: secretField(t),
  }),
});

mutation({
  ...byId,
  name: 'webhookEndpointTest',
  description:
    'Sends an `endpoint.test` webhook within about a second, regardless of the event types to which the endpoint subscribes. Only one attempt is made. Also works for a disabled endpoint.',
  action: webhookEndpointTest,
  payload: t => ({
    webhookDelivery: t.field({
      type: WebhookDeliveryRef,
      description: 'The webhook delivery, which can be queried by its ID.',
      resolve: ({ result }, _args, graph) =>
        result && webhookDeliveryById(graph, result.deliveryId),
    }),
  }),
});

mutation({
  ...byId,
  name: 'webhookEndpointEnable',
  description:
    'Enables a webhook endpoint. It receives outbound events that occur from now on. Use `webhookEndpointReplay` to send missed webhooks.',
  action: webhookEndpointEnable,
  payload: t => ({ webhookEndpoint: endpointField(t, 'The enabled webhook endpoint.') }),
});

mutation({
  ...byId,
  name: 'webhookEndpointDisable',
  description:
    'Disables a webhook endpoint. Pending webhook deliveries are canceled when they come due. Idempotent.',
  action: webhookEndpointDisable,
  payload: t => ({ webhookEndpoint: endpointField(t, 'The disabled webhook endpoint.') }),
});

mutation({
  ...byId,
  name: 'webhookEndpointDelete',
  description:
    'Permanently deletes a webhook endpoint and its secrets. Its webhook deliveries remain available.',
  action: webhookEndpointDelete,
  payload: t => ({
    deletedId: t.id({
      description: 'The ID of the deleted endpoint.',
      resolve: ({ result }) => result && encodeNodeId('WebhookEndpoint', result.id),
    }),
  }),
});

function endpointField(t: PayloadFields<{ readonly id: string }>, description: string) {
  return changed(t, WebhookEndpointRef, webhookEndpointById, description);
}

function secretField(t: PayloadFields<EndpointWithSecret>) {
  return t.string({
    description:
      'The signing secret, `whsec_…`. It is returned only in this response and in responses to repeated requests with the same idempotency key.',
    resolve: ({ result }, _args, { context }) => {
      const secrets = secretsOf(context.deps);
      // A repeated request may arrive after the key that sealed its result was retired.
      if (result === undefined || !secrets.keyIds.includes(result.secret.keyId)) return null;
      return secrets.open(webhookSecretPlace(result.id), result.secret);
    },
  });
}
