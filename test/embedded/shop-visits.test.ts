// The visits of the demo shop's customers.

import { expect, test } from 'vitest';
import { Visits } from '../../embedded/shop/visits.ts';

const FUNNEL = ['Product Viewed', 'Cart Updated', 'Checkout', 'Order Completed'];
const EVENTS_PER_SECOND = 7;
const EVENTS = 2_100;

type Sent = {
  readonly userId: string;
  readonly type: string;
  readonly event?: string;
  readonly name?: string;
};

/** When each person took each step for the first time, in this order. */
function visit(): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const visits = new Visits();
  const people = new Map<string, Map<string, number>>();
  for (let at = 0; at < EVENTS; at++) {
    const atMs = (at * 1_000) / EVENTS_PER_SECOND;
    const { userId, type, event, name } = visits.next(atMs) as Sent;
    const steps = people.get(userId) ?? new Map<string, number>();
    const step = event ?? name ?? type;
    people.set(userId, steps.set(step, steps.get(step) ?? atMs));
  }
  return people;
}

test('the people in the shop take seconds for each step, and most of those who leave do so with a full cart', () => {
  const people = [...visit().values()];
  const reached = FUNNEL.map(step => people.filter(steps => steps.has(step)).length);
  const lost = reached.slice(1).map((count, at) => reached[at]! - count);
  expect(Math.min(...lost)).toBeGreaterThan(0);
  expect(lost.indexOf(Math.max(...lost))).toBe(FUNNEL.indexOf('Cart Updated'));
  for (const steps of people) {
    const times = [...steps.values()];
    for (const [at, ms] of times.slice(1).entries())
      expect(ms - times[at]!).toBeGreaterThanOrEqual(1_000);
  }
});
