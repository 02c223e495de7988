// Visits from the first page to the order. Many people leave on the way, most of them with a full cart.

import { type Customer, identityOf, newCustomer, REGULARS } from './customers.ts';
import { evenly } from './evenly.ts';
import { type Step, stepsOf } from './steps.ts';

/** The share of people who go on after a step, and how long they take. */
type Habit = { readonly goOn: number; readonly seconds: number };

const HABITS: Readonly<Record<string, Habit>> = {
  Home: { goOn: 0.9, seconds: 3 },
  'Product Viewed': { goOn: 0.75, seconds: 5 },
  'Cart Updated': { goOn: 0.45, seconds: 4 },
  Checkout: { goOn: 0.85, seconds: 9 },
};
const HABIT: Habit = { goOn: 1, seconds: 2 };
const VISITS_PER_REGULAR = 8;
/** From 0.6 to 1.4 times as long. */
const PACES = 5;

type Visit = { readonly customer: Customer; readonly pace: number; readonly left: Step[] };
type Present = Visit & { readonly dueMs: number };

/** The people who are in the shop at the same time. */
export class Visits {
  readonly #present: Present[] = [];
  #number = 0;

  /** The next event: of a person who has taken enough time, otherwise of a new one. */
  next(nowMs: number): object {
    const at = this.#present.findIndex(({ dueMs }) => dueMs <= nowMs);
    const visit = at === -1 ? newVisit(this.#number++) : this.#present.splice(at, 1)[0]!;
    const step = visit.left.shift()!;
    const dueMs = nowMs + habitOf(step).seconds * visit.pace * 1_000;
    if (visit.left.length > 0) this.#present.push({ ...visit, dueMs });
    return { ...identityOf(visit.customer), ...step };
  }
}

function newVisit(number: number): Visit {
  const isRegular = number % VISITS_PER_REGULAR === 0;
  const regular = REGULARS[(number / VISITS_PER_REGULAR) % REGULARS.length];
  const customer = isRegular ? regular! : newCustomer(number);
  const steps = stepsOf(customer);
  const left = steps.slice(0, countSteps(steps, number));
  return { customer, pace: 0.6 + (number % PACES) / PACES, left };
}

/** How far a visitor goes. */
export function countSteps(steps: readonly Step[], number: number): number {
  const ease = evenly(number);
  let share = 1;
  const last = steps.findIndex(step => {
    share *= habitOf(step).goOn;
    return ease >= share;
  });
  return last === -1 ? steps.length : last + 1;
}

function habitOf({ event, name }: Step): Habit {
  return HABITS[String(event ?? name)] ?? HABIT;
}
