// What has happened in the demo shop by the time its pictures are taken: payments, one of them
// disputed, and webhooks that a receiver of the shop's takes, until it has a bad moment.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type StoryTeller = {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly accessToken: string;
};

const ORDERS = [
  { amount: '250', purpose: 'Order 1042' },
  { amount: '1499.50', purpose: 'Order 1043' },
  { amount: '89', purpose: 'Order 1044' },
  { amount: '640', purpose: 'Order 1045' },
] as const;

/** Tells it to the end; the receiver runs until it is closed. */
export async function tellShopStory(demo: StoryTeller): Promise<Server> {
  const receiver = await listenForWebhooks();
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hooks`;
  const { webhookEndpointCreate } = await mutate(
    demo,
    `mutation ($url: String!) { webhookEndpointCreate(input: {url: $url, description: "Shop backend"}) {
      webhookEndpoint { id } userErrors { message } } }`,
    { url },
  );
  const { id } = webhookEndpointCreate!.webhookEndpoint as { id: string };
  for (const order of ORDERS) await payFor(demo, order);
  await mutate(
    demo,
    `mutation ($id: ID!) { webhookEndpointTest(id: $id) { userErrors { message } } }`,
    { id },
  );
  return receiver;
}

/** Every third answer is a failure, so that there is something tried again. */
async function listenForWebhooks(): Promise<Server> {
  let taken = 0;
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(++taken % 3 === 0 ? 503 : 204).end();
  });
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve));
  return receiver;
}

async function payFor(demo: StoryTeller, order: (typeof ORDERS)[number]): Promise<void> {
  const { gatewayLinkCreate } = await mutate(
    demo,
    `mutation ($input: GatewayLinkCreateInput!, $key: String!) {
      gatewayLinkCreate(input: $input) @idempotent(key: $key) {
        gatewayLink { linkId } userErrors { message } } }`,
    {
      input: { ...order, customer: { phone: '9999999999' } },
      key: `pictures ${order.purpose}`,
    },
  );
  const { linkId } = gatewayLinkCreate!.gatewayLink as { linkId: string };
  const control = `${demo.gatewayUrl}/control`;
  const paid = await fetch(`${control}/links/${linkId}/pay`, { method: 'POST' });
  if (order !== ORDERS[2] || !paid.ok) return;
  const { cfPaymentId } = (await paid.json()) as { cfPaymentId: string };
  await fetch(`${control}/payments/${cfPaymentId}/dispute`, {
    method: 'POST',
    body: JSON.stringify({ type: 'CHARGEBACK' }),
  });
}

type Payload = { readonly userErrors: readonly { readonly message: string }[] } & Record<
  string,
  unknown
>;

async function mutate(
  { baseUrl, accessToken }: StoryTeller,
  query: string,
  variables: Record<string, unknown>,
): Promise<Record<string, Payload | undefined>> {
  const answer = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as {
    data?: Record<string, Payload>;
    errors?: readonly { readonly message: string }[];
  };
  const refusals = [
    ...(errors ?? []),
    ...Object.values(data ?? {}).flatMap(payload => payload.userErrors),
  ];
  if (data === undefined || refusals.length > 0)
    throw new Error(refusals.map(({ message }) => message).join(' '));
  return data;
}
