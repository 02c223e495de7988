// Routes the gateway's calls by method and path.

import type { WritableObject } from '../../schema/values/exact-json.ts';
import type { Call } from './calls.ts';
import { cancelLink, createLink, getLink, getLinkOrders } from './links.ts';
import { createOrder, getOrder, getOrderPayment, getOrderPayments } from './orders.ts';
import {
  getOrderRefund,
  getOrderRefunds,
  getSubscriptionRefund,
  refundOrder,
  refundSubscription,
} from './refunds.ts';
import {
  createPlan,
  createSubscription,
  getPlan,
  getSubscription,
  getSubscriptionPayments,
  manageSubscription,
} from './subscriptions.ts';
import { createVendor, deleteVendor, getVendor, updateVendor } from './vendors.ts';

export type Handler = (call: Call) => WritableObject | readonly WritableObject[];

const ROUTES: readonly (readonly [string, Handler])[] = [
  ['POST /orders', createOrder],
  ['GET /orders/{}', getOrder],
  ['GET /orders/{}/payments', getOrderPayments],
  ['GET /orders/{}/payments/{}', getOrderPayment],
  ['POST /orders/{}/refunds', refundOrder],
  ['GET /orders/{}/refunds', getOrderRefunds],
  ['GET /orders/{}/refunds/{}', getOrderRefund],
  ['POST /links', createLink],
  ['GET /links/{}', getLink],
  ['POST /links/{}/cancel', cancelLink],
  ['GET /links/{}/orders', getLinkOrders],
  ['POST /plans', createPlan],
  ['GET /plans/{}', getPlan],
  ['POST /subscriptions', createSubscription],
  ['GET /subscriptions/{}', getSubscription],
  ['GET /subscriptions/{}/payments', getSubscriptionPayments],
  ['POST /subscriptions/{}/manage', manageSubscription],
  ['POST /subscriptions/{}/refunds', refundSubscription],
  ['GET /subscriptions/{}/refunds/{}', getSubscriptionRefund],
  ['POST /easy-split/vendors', createVendor],
  ['GET /easy-split/vendors/{}', getVendor],
  ['PATCH /easy-split/vendors/{}', updateVendor],
  ['DELETE /easy-split/vendors/{}', deleteVendor],
];

const PATTERNS = ROUTES.map(
  ([route, handler]) => [new RegExp(`^${route.replaceAll('{}', '([^/]+)')}$`), handler] as const,
);

export type Routed = { readonly handler: Handler; readonly id: string; readonly innerId: string };

/** `call` is the method, a space and the path, for example `GET /orders/abc`. */
export function route(call: string): Routed | undefined {
  for (const [pattern, handler] of PATTERNS) {
    const match = pattern.exec(call);
    if (match === null) continue;
    const [id = '', innerId = ''] = match.slice(1).map(decodeURIComponent);
    return { handler, id, innerId };
  }
  return undefined;
}
