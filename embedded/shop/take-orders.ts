// Pays the orders at the demo's gateway; one payment is disputed.

import { ask, askApi, type ShopDemo } from './ask.ts';

const ORDERS = [
  { amount: '250', purpose: 'Order 1042' },
  { amount: '1499.50', purpose: 'Order 1043' },
  { amount: '89', purpose: 'Order 1044' },
  { amount: '640', purpose: 'Order 1045' },
] as const;
const DISPUTED = ORDERS[2];

type Order = (typeof ORDERS)[number];
type Links = { readonly gatewayLinks: { readonly nodes: readonly { readonly purpose: string }[] } };
type Created = {
  readonly gatewayLinkCreate: { readonly gatewayLink: { readonly linkId: string } };
};

/** The orders that were not paid on an earlier day. */
export async function takeOrders(demo: ShopDemo, signal: AbortSignal): Promise<void> {
  const { gatewayUrl } = demo;
  if (gatewayUrl === undefined) return;
  const { gatewayLinks } = await askApi<Links>(
    demo,
    '{ gatewayLinks(first: 100) { nodes { purpose } } }',
  );
  const taken = new Set(gatewayLinks.nodes.map(({ purpose }) => purpose));
  for (const order of ORDERS)
    if (!signal.aborted && !taken.has(order.purpose)) await take(demo, gatewayUrl, order);
}

async function take(demo: ShopDemo, gatewayUrl: string, order: Order): Promise<void> {
  const { gatewayLinkCreate } = await askApi<Created>(
    demo,
    `mutation ($input: GatewayLinkCreateInput!, $key: String!) {
      gatewayLinkCreate(input: $input) @idempotent(key: $key) {
        gatewayLink { linkId } userErrors { message } } }`,
    { input: { ...order, customer: { phone: '9999999999' } }, key: `shop ${order.purpose}` },
  );
  const { linkId } = gatewayLinkCreate.gatewayLink;
  const paid = await control(`${gatewayUrl}/control/links/${linkId}/pay`);
  if (order !== DISPUTED) return;
  const { cfPaymentId } = paid as { cfPaymentId: string };
  await control(`${gatewayUrl}/control/payments/${cfPaymentId}/dispute`, { type: 'CHARGEBACK' });
}

async function control(url: string, given: object = {}): Promise<unknown> {
  const { status, body } = await ask(url, { method: 'POST', body: JSON.stringify(given) });
  if (status !== 200) throw new Error(`${url} responded with ${status}: ${JSON.stringify(body)}`);
  return body;
}
