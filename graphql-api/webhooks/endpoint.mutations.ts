import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { secretsOf } from '../platform/secrets.ts';
import { WebhookDeliveryRef, webhookDeliveryById } from './delivery.graph.ts';
import { webhookEndpointDisable, webhookEndpointEnable } from './endpoint.change-state.ts';
import {
  webhookEndpointCreateContract,
  webhookEndpointIdContract,
  webhookEndpointUpdateContract,
  webhookSecretRotateContract,
} from './endpoint.contract.ts';
import { type EndpointWithSecret, webhookEndpointCreate } from './endpoint.create.ts';
import { webhookEndpointDelete } from './endpoint.delete.ts';
import { WebhookEndpointRef, webhookEndpointById } from './endpoint.graph.ts';
import { webhookSecretRotate } from './endpoint.rotate-secret.ts';
import { webhookEndpointTest } from './endpoint.test-delivery.ts';
import { webhookEndpointUpdate } from './endpoint.update.ts';
import { webhookSecretPlace } from './signature.ts';

const CHOICE = 'Types, or families such as `payment.*`; see webhookEventTypes.';

mutation({
  name: 'webhookEndpointCreate',
  description:
    'Makes a webhook endpoint, which is told of what happens from then on; its secret is shown this once.',
  access: 'owner',
  input: t => ({
    url: t.string({
      required: true,
      description: 'Where webhooks are posted to: https, port 443, on the public internet.',
    }),
    description: t.string({ description: 'What people say about it.' }),
    eventTypes: t.stringList({ description: `${CHOICE} Left out or empty, all.` }),
  }),
  contract: webhookEndpointCreateContract,
  codes: ['WEBHOOK_URL_REFUSED', 'TOO_MANY_WEBHOOK_ENDPOINTS'],
  process: webhookEndpointCreate,
  payload: t => ({
    webhookEndpoint: endpointField(t, 'The new endpoint.'),
    secret: secretField(t),
  }),
});

mutation({
  name: 'webhookEndpointUpdate',
  description:
    'Changes an endpoint: what is tried from then on goes to the new address. What is left out stays.',
  access: 'owner',
  target: WebhookEndpointRef,
  input: t => ({
    version: t.int({ required: true, description: 'The version that is changed.' }),
    url: t.string({ description: 'Where webhooks are posted to.' }),
    description: t.string({ description: 'What people say about it; null clears it.' }),
    eventTypes: t.stringList({ description: `${CHOICE} Null or empty, all.` }),
  }),
  contract: webhookEndpointUpdateContract,
  codes: ['NOT_FOUND', 'WEBHOOK_ENDPOINT_CHANGED', 'WEBHOOK_URL_REFUSED'],
  process: webhookEndpointUpdate,
  payload: t => ({ webhookEndpoint: endpointField(t, 'The endpoint as it is now.') }),
});

mutation({
  name: 'webhookSecretRotate',
  description:
    'Makes a new secret, shown this once. The old one signs beside it until the overlap is over, so that receivers have time to follow.',
  access: 'owner',
  target: WebhookEndpointRef,
  input: t => ({
    overlapSeconds: t.int({
      description: 'How long the old one signs too: 0 to 2592000 (30 days), a day unless said.',
    }),
  }),
  contract: webhookSecretRotateContract,
  codes: ['NOT_FOUND'],
  action: webhookSecretRotate,
  payload: t => ({
    webhookEndpoint: endpointField(t, 'The endpoint, with the time of the old secret’s end.'),
    secret: secretField(t),
  }),
});

mutation({
  name: 'webhookEndpointTest',
  description:
    'Sends a webhook `endpoint.test` to the endpoint, whatever it has chosen, within about a second; once, also while it is disabled.',
  access: 'owner',
  target: WebhookEndpointRef,
  contract: webhookEndpointIdContract,
  codes: ['NOT_FOUND'],
  action: webhookEndpointTest,
  payload: t => ({
    webhookDelivery: t.field({
      type: WebhookDeliveryRef,
      description: 'The delivery, to be followed by its id.',
      resolve: ({ result }, _args, graph) =>
        result && webhookDeliveryById(graph, result.deliveryId),
    }),
  }),
});

mutation({
  name: 'webhookEndpointEnable',
  description:
    'Has the endpoint told again of what happens from then on. What it missed is sent by webhookEndpointReplay.',
  access: 'owner',
  target: WebhookEndpointRef,
  contract: webhookEndpointIdContract,
  codes: ['NOT_FOUND'],
  action: webhookEndpointEnable,
  payload: t => ({ webhookEndpoint: endpointField(t, 'The enabled endpoint.') }),
});

mutation({
  name: 'webhookEndpointDisable',
  description:
    'Stops what is sent to the endpoint; what waits for it is cancelled when its time comes. One that is disabled already stays as it is.',
  access: 'owner',
  target: WebhookEndpointRef,
  contract: webhookEndpointIdContract,
  codes: ['NOT_FOUND'],
  action: webhookEndpointDisable,
  payload: t => ({ webhookEndpoint: endpointField(t, 'The disabled endpoint.') }),
});

mutation({
  name: 'webhookEndpointDelete',
  description: 'Removes the endpoint and its secrets for ever; its deliveries stay in the log.',
  access: 'owner',
  target: WebhookEndpointRef,
  contract: webhookEndpointIdContract,
  codes: ['NOT_FOUND'],
  action: webhookEndpointDelete,
  payload: t => ({
    deletedId: t.id({
      description: 'What it was known by.',
      resolve: ({ result }) => result && encodeNodeId('WebhookEndpoint', result.id),
    }),
  }),
});

function endpointField(t: PayloadFields<{ readonly id: string }>, description: string) {
  return t.field({
    type: WebhookEndpointRef,
    description,
    resolve: ({ result }, _args, graph) => result && webhookEndpointById(graph, result.id),
  });
}

function secretField(t: PayloadFields<EndpointWithSecret>) {
  return t.string({
    description:
      'What webhooks are signed with, `whsec_…`. It is not shown again, but to a repeat of this request under its idempotency key.',
    resolve: ({ result }, _args, { context }) => {
      const secrets = secretsOf(context.deps);
      // A repeat may come after the key that sealed its answer was taken out of use.
      if (result === undefined || !secrets.keyIds.includes(result.secret.keyId)) return null;
      return secrets.open(webhookSecretPlace(result.id), result.secret);
    },
  });
}
