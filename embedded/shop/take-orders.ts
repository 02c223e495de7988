// Payments of orders at the demo's gateway: a few at the start, one of which is disputed, then one after
// another.

import { ask, askApi, type ShopDemo } from './ask.ts';
import { atPace } from './at-pace.ts';
import { evenly } from './evenly.ts';
import type { Tally } from './tally.ts';

export type Orders = { readonly tally: Tally; readonly signal: AbortSignal };

type Order = { readonly amount: string; readonly purpose: string };

const FIRST_ORDERS: readonly Order[] = [
  { amount: '250', purpose: 'Order 1042' },
  { amount: '1499.50', purpose: 'Order 1043' },
  { amount: '89', purpose: 'Order 1044' },
  { amount: '640', purpose: 'Order 1045' },
];
const DISPUTED = FIRST_ORDERS[2];
const FIRST_NUMBER = 1046;
const NUMBER = /^Order (\d+)$/;

const ORDER_MS = 20_000;
const ORDERS_PER_FAILURE = 5;
const AMOUNT_MIN = 60;
const AMOUNT_SPREAD = 1_500;

type Links = {
  readonly gatewayLinks: {
    readonly nodes: readonly { readonly purpose: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};
type Created = {
  readonly gatewayLinkCreate: { readonly gatewayLink: { readonly linkId: string } };
};

/** The first orders, unless an earlier shop took them. */
export async function takeFirstOrders(demo: ShopDemo, { tally, signal }: Orders): Promise<void> {
  const { gatewayUrl } = demo;
  if (gatewayUrl === undefined) return;
  const taken = await takenNumbers(demo);
  if (taken.some(isLater)) return;
  for (const order of FIRST_ORDERS) {
    if (signal.aborted || taken.some(number => numberOf(order) === number)) continue;
    const payment = await act(gatewayUrl, await createLink(demo, order), 'pay');
    tally.paid++;
    if (order === DISPUTED)
      await control(`${gatewayUrl}/control/payments/${payment}/dispute`, { type: 'CHARGEBACK' });
  }
}

/** Until the signal. Some payments fail. */
export async function takeOrders(demo: ShopDemo, { tally, signal }: Orders): Promise<void> {
  const { gatewayUrl } = demo;
  if (gatewayUrl === undefined) return;
  let number = Math.max(FIRST_NUMBER - 1, ...(await takenNumbers(demo))) + 1;
  const pace = { everyMs: ORDER_MS, signal, onUnanswered: () => tally.unanswered++ };
  await atPace(pace, async () => {
    const isFailure = number % ORDERS_PER_FAILURE === 0;
    const linkId = await createLink(demo, orderOf(number));
    // If the payment is not answered, the order stays unpaid: another attempt might pay it twice.
    number++;
    await act(gatewayUrl, linkId, isFailure ? 'fail' : 'pay');
    tally[isFailure ? 'unpaid' : 'paid']++;
  });
}

/**
 * The numbers of orders that earlier shops took. Links are listed newest first, and the first orders are taken
 * before any later one, so it stops at a later one.
 */
async function takenNumbers(demo: ShopDemo): Promise<readonly number[]> {
  const taken: number[] = [];
  let after: string | null = null;
  do {
    const listed: Links = await askApi(
      demo,
      `query ($after: String) { gatewayLinks(first: 100, after: $after) {
        nodes { purpose } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    const { nodes, pageInfo } = listed.gatewayLinks;
    taken.push(...nodes.map(numberOf).filter(number => number !== undefined));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null && !taken.some(isLater));
  return taken;
}

/** Undefined for a link that the shop did not create. */
function numberOf({ purpose }: { readonly purpose: string }): number | undefined {
  const digits = NUMBER.exec(purpose)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function isLater(number: number): boolean {
  return number >= FIRST_NUMBER;
}

function orderOf(number: number): Order {
  const amount = AMOUNT_MIN + AMOUNT_SPREAD * evenly(number);
  return { amount: amount.toFixed(2), purpose: `Order ${number}` };
}

/** The same link if it is created again. */
async function createLink(demo: ShopDemo, order: Order): Promise<string> {
  const { gatewayLinkCreate } = await askApi<Created>(
    demo,
    `mutation ($input: GatewayLinkCreateInput!, $key: String!) {
      gatewayLinkCreate(input: $input) @idempotent(key: $key) {
        gatewayLink { linkId } userErrors { message } } }`,
    { input: { ...order, customer: { phone: '9999999999' } }, key: `shop ${order.purpose}` },
  );
  return gatewayLinkCreate.gatewayLink.linkId;
}

/** Returns the ID of the payment. */
async function act(gatewayUrl: string, linkId: string, deed: 'pay' | 'fail'): Promise<string> {
  const payment = await control(`${gatewayUrl}/control/links/${linkId}/${deed}`);
  return (payment as { readonly cfPaymentId: string }).cfPaymentId;
}

async function control(url: string, given: object = {}): Promise<unknown> {
  const { status, body } = await ask(url, { method: 'POST', body: JSON.stringify(given) });
  if (status !== 200) throw new Error(`${url} responded with ${status}: ${JSON.stringify(body)}`);
  return body;
}
