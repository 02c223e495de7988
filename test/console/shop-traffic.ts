// What a small shop's site and apps send, some of it wrong, so that the live view has something to show.

import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 150;
const PEOPLE = ['ada', 'grace', 'linus', 'margaret', 'alan', 'radia'];
const STEPS = [
  { type: 'page', name: 'Home', properties: { path: '/', referrer: 'https://search.example' } },
  { type: 'track', event: 'Product Viewed', properties: { sku: 'tea-042', price: 12.5 } },
  { type: 'track', event: 'Cart Updated', properties: { items: 3, total: 37.5, currency: 'EUR' } },
  { type: 'screen', name: 'Checkout', properties: { step: 2 } },
  { type: 'track', event: 'Order Completed', properties: { total: 49.9, currency: 'EUR' } },
  { type: 'identify', traits: { plan: 'gold', city: 'Zürich' } },
  // Refused, each for its own reason.
  { type: 'track', event: 'Coupon Applied', timestamp: 'yesterday', properties: { code: 'TEA10' } },
  { type: 'track', properties: { note: 'an event without a name' } },
] as const;

type Shop = { readonly baseUrl: string; readonly writeKey: string };

export async function sendShopTraffic(shop: Shop, signal: AbortSignal): Promise<void> {
  for (let at = 0; !signal.aborted; at++) {
    await send(shop, at);
    await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function send({ baseUrl, writeKey }: Shop, at: number): Promise<void> {
  const now = new Date();
  const person = PEOPLE[at % PEOPLE.length]!;
  const event = {
    messageId: `picture-${now.getTime()}-${at}`,
    timestamp: now.toISOString(),
    anonymousId: `device-of-${person}`,
    userId: person,
    sessionId: `session-of-${person}`,
    ...STEPS[at % STEPS.length],
  };
  const body = JSON.stringify({ writeKey, sentAt: now.toISOString(), batch: [event] });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/v1/batch`, { method: 'POST', headers, body });
  // 400 tells of the ones that are wrong.
  if (!answer.ok && answer.status !== 400) throw new Error(`ingest answered ${answer.status}`);
}
