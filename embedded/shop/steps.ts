// The actions of customers, as the shop's site and apps report them, including the errors of those
// reports.

import { type Customer, deviceOf } from './customers.ts';

export type Step = Readonly<Record<string, unknown>>;

/** From the first page to the delivery: events of all types. */
export function stepsOf(customer: Customer): readonly Step[] {
  const { name, plan, city } = customer;
  return [
    { type: 'page', name: 'Home', properties: { path: '/', referrer: 'https://search.example' } },
    { type: 'alias', previousId: deviceOf(customer) },
    { type: 'identify', traits: { name, plan, city } },
    { type: 'track', event: 'Product Viewed', properties: { sku: 'tea-042', price: 12.5 } },
    {
      type: 'track',
      event: 'Cart Updated',
      properties: { items: 3, total: 37.5, currency: 'EUR' },
    },
    { type: 'screen', name: 'Checkout', properties: { step: 2 } },
    { type: 'track', event: 'Order Completed', properties: { total: 49.9, currency: 'EUR' } },
    { type: 'group', groupId: 'tea-club', traits: { name: 'Tea club', discount: 5 } },
    { type: 'track', event: 'Parcel Followed', properties: { carrier: 'post' } },
  ];
}

/** Each is rejected for a different reason. */
const FAULTS: readonly Step[] = [
  { type: 'track', event: 'Coupon Applied', timestamp: 'yesterday', properties: { code: 'TEA10' } },
  { type: 'track', properties: { note: 'an event without a name' } },
  { type: 'purchase', properties: { total: 49.9, currency: 'EUR' } },
  { type: 'track', event: 'Gift Wrapped', properties: 'with a ribbon' },
  { type: 'page', name: `Results for ${'tea '.repeat(150)}` },
  { type: 'track', event: 'Menu Opened', properties: { a: { b: { c: { d: { e: { f: 1 } } } } } } },
];
const EVENTS_PER_FAULT = 8;

/** Undefined for most. */
export function faultOf(at: number): Step | undefined {
  const isFault = at % EVENTS_PER_FAULT === EVENTS_PER_FAULT - 1;
  return isFault ? FAULTS[Math.floor(at / EVENTS_PER_FAULT) % FAULTS.length] : undefined;
}
