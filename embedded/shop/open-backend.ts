// The shop's own systems: a webhook endpoint of the workspace, and the receiver behind it, which fails
// from time to time. The endpoint is created once and disabled while the shop is closed, so that no
// webhook is sent to a closed port and its deliveries stay visible.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK } from '../ports.ts';
import { askApi, type ShopDemo } from './ask.ts';
import type { Tally } from './tally.ts';

export type Backend = {
  /** Requests a test webhook. */
  readonly test: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type BackendOptions = {
  readonly tally: Tally;
  readonly onNote: (note: string) => void;
};

const NAME = 'Shop backend';
/** An endpoint of this name whose URL was changed is no longer ours. */
const OWN_URL = /^http:\/\/127\.0\.0\.1:\d+\/hooks$/;
const WEBHOOKS_PER_FAILURE = 4;
const QUESTION_MS_MAX = 1_000;

export async function openBackend(demo: ShopDemo, options: BackendOptions): Promise<Backend> {
  const receiver = await listen(options.tally);
  const { port } = receiver.address() as AddressInfo;
  try {
    const id = await enableEndpoint(demo, `http://${LOOPBACK}:${port}/hooks`);
    const tell = (mutation: string) =>
      askApi(demo, `mutation ($id: ID!) { ${mutation}(id: $id) { userErrors { message } } }`, {
        id,
      });
    return {
      async test() {
        await tell('webhookEndpointTest');
      },
      async close() {
        await tell('webhookEndpointDisable').catch((error: Error) =>
          options.onNote(`the webhook endpoint “${NAME}” stays enabled: ${error.message}`),
        );
        stop(receiver);
      },
    };
  } catch (error) {
    stop(receiver);
    throw error;
  }
}

async function listen(tally: Tally): Promise<Server> {
  const receiver = createServer((request, response) => {
    request.resume();
    // Another shop that checks whether this one is open.
    if (request.method !== 'POST') return void response.end(NAME);
    const isFailure = ++tally.webhooks % WEBHOOKS_PER_FAILURE === 0;
    if (isFailure) tally.failedWebhooks++;
    response.writeHead(isFailure ? 503 : 204).end();
  });
  await new Promise<void>((resolve, reject) => {
    receiver.once('error', reject);
    receiver.listen(0, LOOPBACK, resolve);
  });
  return receiver;
}

function stop(receiver: Server): void {
  receiver.close();
  receiver.closeAllConnections();
}

type Endpoint = {
  readonly id: string;
  readonly description: string;
  readonly url: string;
  readonly version: number;
};
type Listed = { readonly webhookEndpoints: { readonly nodes: readonly Endpoint[] } };
type Created = { readonly webhookEndpointCreate: { readonly webhookEndpoint: { id: string } } };

/** The previous endpoint with the new URL, otherwise a new one. */
async function enableEndpoint(demo: ShopDemo, url: string): Promise<string> {
  const { webhookEndpoints } = await askApi<Listed>(
    demo,
    '{ webhookEndpoints(first: 20) { nodes { id description url version } } }',
  );
  const known = webhookEndpoints.nodes.find(
    endpoint => endpoint.description === NAME && OWN_URL.test(endpoint.url),
  );
  if (known === undefined) return createEndpoint(demo, url);
  const { id, version } = known;
  if (await isOpen(known.url)) throw new Error('The shop is already open.');
  await askApi(
    demo,
    `mutation ($id: ID!, $input: WebhookEndpointUpdateInput!) {
      webhookEndpointUpdate(id: $id, input: $input) { userErrors { message } }
      webhookEndpointEnable(id: $id) { userErrors { message } } }`,
    { id, input: { version, url } },
  );
  return id;
}

async function createEndpoint(demo: ShopDemo, url: string): Promise<string> {
  const { webhookEndpointCreate } = await askApi<Created>(
    demo,
    `mutation ($input: WebhookEndpointCreateInput!) {
      webhookEndpointCreate(input: $input) { webhookEndpoint { id } userErrors { message } } }`,
    { input: { url, description: NAME } },
  );
  return webhookEndpointCreate.webhookEndpoint.id;
}

/** A killed shop left its endpoint enabled, but does not respond. */
async function isOpen(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(QUESTION_MS_MAX) });
    return (await answer.text()) === NAME;
  } catch {
    return false;
  }
}
