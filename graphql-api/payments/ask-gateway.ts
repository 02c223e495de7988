// Queries the gateway for an object that is still open. The response is converted to the same facts
// as a webhook, so it replaces a webhook that was lost.

import { type ExactObject, isObject, objectField } from '../../schema/values/exact-json.ts';
import type { CallName } from './client/call-limits.ts';
import type { GatewayAccount, GatewayClient } from './client/gateway-client.ts';
import type { GatewayFault } from './client/gateway-fault.ts';
import type { GatewayFact } from './facts/facts.ts';
import {
  readLink,
  readOrder,
  readPlan,
  readRefund,
  readSubscription,
  readVendor,
} from './facts/read-objects.ts';
import { readMandatePayment, readPayment } from './facts/read-payment.ts';
import { wordAt } from './facts/read-values.ts';

export type OpenObject = {
  readonly kind: 'link' | 'order' | 'subscription' | 'refund' | 'plan' | 'vendor';
  readonly id: string;
  readonly accountId: string;
  /** The ID that we sent to the gateway: link_id, order_id, and so on. */
  readonly objectId: string;
  readonly status: string;
  /** Still CREATING after the time in which the client can repeat the request. */
  readonly isAbandoned: boolean;
  /** For a refund, the order or subscription of its payment. */
  readonly orderId: string | null;
  readonly subscriptionId: string | null;
};

type Asking = {
  readonly gateway: GatewayClient;
  readonly account: GatewayAccount;
  /** The time of the query. The facts cannot be older than this. */
  readonly atMs: number;
};

/** The gateway returned no usable response. Try again later. */
export class NoAnswer extends Error {
  readonly fault: GatewayFault;

  constructor(fault: GatewayFault) {
    super(fault.code);
    this.name = 'NoAnswer';
    this.fault = fault;
  }
}

export function askGateway(asking: Asking, object: OpenObject): Promise<readonly GatewayFact[]> {
  return ASK[object.kind](asking, object);
}

type Ask = (asking: Asking, object: OpenObject) => Promise<readonly GatewayFact[]>;

const ASK: Readonly<Record<OpenObject['kind'], Ask>> = {
  link: askLink,
  order: askOrder,
  subscription: askSubscription,
  refund: askRefund,
  plan: askPlan,
  vendor: askVendor,
};

/** Only the latest orders of a link are queried; a link is not paid in more parts than this. */
const LINK_ORDERS_MAX = 10;

async function askLink(asking: Asking, { objectId }: OpenObject): Promise<readonly GatewayFact[]> {
  const { atMs } = asking;
  const body = await get(asking, 'links', ['links', objectId]);
  const link = readLink(body, atMs);
  const orders = await list(asking, 'links', ['links', objectId, 'orders']);
  const facts: GatewayFact[] = [link];
  for (const order of orders.slice(-LINK_ORDERS_MAX)) {
    const orderId = wordAt(order, 'order_id');
    if (orderId === undefined) continue;
    // Record the order's link first, because its payments name only the order.
    facts.push({ ...link, orderId }, ...(await paymentsOf(asking, orderId, link.cfLinkId)));
  }
  return facts;
}

async function askOrder(asking: Asking, { objectId }: OpenObject): Promise<readonly GatewayFact[]> {
  const body = await get(asking, 'getOrder', ['orders', objectId]);
  return [readOrder(body, asking.atMs), ...(await paymentsOf(asking, objectId))];
}

async function paymentsOf(
  asking: Asking,
  orderId: string,
  cfLinkId?: string,
): Promise<readonly GatewayFact[]> {
  const payments = await list(asking, 'getOrder', ['orders', orderId, 'payments']);
  const order = { order_id: orderId, order_tags: { cf_link_id: cfLinkId } };
  return payments.map(payment => readPayment({ payment, order }, asking.atMs));
}

async function askSubscription(
  asking: Asking,
  { objectId, status }: OpenObject,
): Promise<readonly GatewayFact[]> {
  const { atMs } = asking;
  const body = await get(asking, 'subscriptions', ['subscriptions', objectId]);
  const said = readSubscription(body, atMs);
  const payments = await list(asking, 'subscriptions', ['subscriptions', objectId, 'payments']);
  // An unchanged status is not a new transition at the time of the query.
  const isNews = said.status !== status;
  return [
    isNews ? said : { ...said, status: undefined },
    ...payments.map(payment => ({
      ...readMandatePayment(payment, atMs),
      subscriptionId: objectId,
    })),
  ];
}

async function askRefund(asking: Asking, refund: OpenObject): Promise<readonly GatewayFact[]> {
  const { objectId, orderId, subscriptionId } = refund;
  // Without its payment we cannot build the URL of the refund.
  if (orderId === null && subscriptionId === null) return [];
  const of = orderId === null ? ['subscriptions', subscriptionId!] : ['orders', orderId];
  const body = await get(asking, 'getRefund', [...of, 'refunds', objectId]);
  return [readRefund(body, asking.atMs)];
}

async function askPlan(asking: Asking, { objectId }: OpenObject): Promise<readonly GatewayFact[]> {
  return [readPlan(await get(asking, 'subscriptions', ['plans', objectId]), asking.atMs)];
}

async function askVendor(
  asking: Asking,
  { objectId }: OpenObject,
): Promise<readonly GatewayFact[]> {
  const body = await get(asking, 'vendors', ['easy-split', 'vendors', objectId]);
  return [readVendor(body, asking.atMs)];
}

async function get(asking: Asking, call: CallName, path: readonly string[]): Promise<ExactObject> {
  return objectField(await ask(asking, call, path));
}

async function list(
  asking: Asking,
  call: CallName,
  path: readonly string[],
): Promise<readonly ExactObject[]> {
  const body = await ask(asking, call, path);
  return Array.isArray(body) ? body.filter(isObject) : [];
}

async function ask({ gateway, account }: Asking, call: CallName, path: readonly string[]) {
  const answer = await gateway.call(account, { method: 'GET', path, call });
  if (!answer.isOk) throw new NoAnswer(answer.fault);
  return answer.body;
}
