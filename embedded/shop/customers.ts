// The customers: six regulars, and new people all the time, because a person who clicked, dismissed
// or often saw a campaign no longer sees it.

import { randomBytes } from 'node:crypto';
import { askApi, type ShopDemo } from './ask.ts';

export type Customer = {
  readonly userId: string;
  readonly name: string;
  readonly plan: 'pro' | 'free';
  readonly city: string;
};

export type NewCustomer = Customer & {
  /** To marketing. */
  readonly hasAgreed: boolean;
};

export const REGULARS: readonly Customer[] = [
  { userId: 'ada', name: 'Ada', plan: 'pro', city: 'London' },
  { userId: 'grace', name: 'Grace', plan: 'pro', city: 'New York' },
  { userId: 'linus', name: 'Linus', plan: 'free', city: 'Helsinki' },
  { userId: 'margaret', name: 'Margaret', plan: 'pro', city: 'Boston' },
  { userId: 'alan', name: 'Alan', plan: 'pro', city: 'Manchester' },
  { userId: 'radia', name: 'Radia', plan: 'pro', city: 'Seattle' },
];

const NAMES = ['Mina', 'Jonas', 'Aiko', 'Priya', 'Tariq', 'Zola', 'Ines', 'Mateo', 'Noor'];
const ID_BYTES = 5;
const CITIES = ['Zürich', 'Pune', 'Lagos', 'Osaka', 'Lima'];

/** One in four customers has no payment, one in six refuses marketing. */
export function newCustomer(number: number): NewCustomer {
  const name = NAMES[number % NAMES.length]!;
  return {
    // Different from those of earlier runs, and of others who come at the same time.
    userId: `${name.toLowerCase()}-${randomBytes(ID_BYTES).toString('hex')}`,
    name,
    plan: number % 4 === 3 ? 'free' : 'pro',
    city: CITIES[number % CITIES.length]!,
    hasAgreed: number % 6 !== 5,
  };
}

export async function signUp(demo: ShopDemo, customer: NewCustomer): Promise<void> {
  const { userId, name, plan, city, hasAgreed } = customer;
  const status = hasAgreed ? 'GRANTED' : 'DENIED';
  await askApi(
    demo,
    `mutation ($person: ContactUpsertInput!, $said: ConsentBulkSetInput!) {
      contactUpsert(input: $person) { userErrors { message } }
      consentBulkSet(input: $said) { userErrors { message } } }`,
    {
      person: { userId, anonymousId: deviceOf(customer), traits: { name, plan, city } },
      said: { consents: [{ userId, purpose: 'marketing', status, source: 'sign-up form' }] },
    },
  );
}

/** The fields that identify the person of an event. */
export function identityOf(customer: Customer) {
  const { userId } = customer;
  return { userId, anonymousId: deviceOf(customer), sessionId: `session-of-${userId}` };
}

export function deviceOf({ userId }: Customer): string {
  return `device-of-${userId}`;
}
