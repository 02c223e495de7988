// Batches as SDKs send them. Bodies are built as text, not with JSON.stringify: tests choose the
// exact bytes, because these must be stored unchanged.

import { randomUUID } from 'node:crypto';
import { createRandom, type Random } from './random.ts';

/** The JSON text of each field; `undefined` omits the field. */
export type Texts = Readonly<Record<string, string | undefined>>;

export const EVENT_TYPES = ['track', 'identify', 'page', 'screen', 'group', 'alias'] as const;
export const EVENTS_MAX = 100;
export const BODY_BYTES_MAX = 512_000;

export function newMessageId(): string {
  return `message-${randomUUID()}`;
}

/** A valid track event, with these fields (as JSON text) replaced. */
export function eventText(fields: Texts = {}): string {
  return objectText({
    type: '"track"',
    event: '"Order Completed"',
    messageId: JSON.stringify(newMessageId()),
    timestamp: JSON.stringify(new Date().toISOString()),
    anonymousId: '"anonymous-1"',
    sessionId: '"session-1"',
    ...fields,
  });
}

/** A valid track event with this ID. */
export function eventOf(messageId: string, fields: Texts = {}): string {
  return eventText({ messageId: JSON.stringify(messageId), ...fields });
}

/** A valid envelope around the events, with these fields (as JSON text) replaced. */
export function batchText(writeKey: string, events: readonly string[], fields: Texts = {}): string {
  return objectText({
    batch: `[${events.join(',')}]`,
    sentAt: JSON.stringify(new Date().toISOString()),
    writeKey: JSON.stringify(writeKey),
    ...fields,
  });
}

/** A batch of one valid event, padded with spaces between tokens to exactly `bytes`. */
export function batchOfBytes(writeKey: string, messageId: string, bytes: number): string {
  const batch = batchText(writeKey, [eventOf(messageId)]);
  return batch.slice(0, -1) + ' '.repeat(bytes - Buffer.byteLength(batch)) + batch.slice(-1);
}

/** `{"level":{"level":… {} …}}`; the outermost object is level 1. */
export function nestedObject(levels: number): string {
  return `${'{"level":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
}

/** Nested arrays in an object: the object is level 1, each array adds one. */
export function nestedArrays(levels: number): string {
  return `{"list":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
}

export type RealisticEvent = {
  readonly type: (typeof EVENT_TYPES)[number];
  readonly event?: string;
  readonly name?: string;
  readonly messageId: string;
  readonly timestamp: string;
  readonly anonymousId: string;
  readonly userId?: string;
  readonly sessionId: string;
  readonly properties?: string;
  readonly traits?: string;
  readonly context?: string;
};

/**
 * Returns the same event for the same seed and number. Objects such as `properties` are JSON text.
 */
export function realisticEvent(seed: number, number: number): RealisticEvent {
  const random = createRandom(seed * 1_000_003 + number);
  const type = EVENT_TYPES[number % EVENT_TYPES.length]!;
  // At most two years back, so that rows are spread over days and partitions.
  const timestampMs = Date.UTC(2026, 0, 1) - random.below(2 * 365 * 86_400) * 1_000 - number;
  return {
    type,
    messageId: `${seed}-${number}`,
    timestamp: new Date(timestampMs).toISOString(),
    anonymousId: `anonymous-${random.below(5_000)}`,
    sessionId: `session-${random.below(20_000)}`,
    ...(random.below(3) > 0 ? { userId: `user-${random.below(2_000)}` } : {}),
    ...(type === 'track' ? { event: random.pick(EVENT_NAMES) } : {}),
    ...(type === 'page' || type === 'screen' ? { name: random.pick(PAGE_NAMES) } : {}),
    ...(type === 'identify' || type === 'group' ? { traits: traits(random) } : {}),
    ...(random.below(10) > 0 ? { properties: properties(random) } : {}),
    ...(random.below(4) > 0 ? { context: context(random) } : {}),
  };
}

export function realisticEventText(event: RealisticEvent): string {
  const { properties, traits, context, ...rest } = event;
  const plain = Object.entries(rest).map(([name, value]) => [name, JSON.stringify(value)]);
  return objectText({ ...Object.fromEntries(plain), properties, traits, context });
}

const EVENT_NAMES = [
  'Order Completed',
  'Product Viewed',
  'Cart Updated',
  'geofence.entered',
  'geofence.exited',
  'Оплата прошла',
  '注文完了',
  'ऑर्डर पूरा हुआ',
  'Checkout 🛒 Started',
];
const PAGE_NAMES = ['Home', 'Pricing', 'Über uns', '設定', 'Cart "quick" \\ view', 'Пользователь'];
const WORDS = [
  'alpha',
  'größe',
  'zażółć',
  'नमस्ते',
  '東京',
  '🚀🌍',
  'line\nbreak',
  'quo"te',
  'tab\t',
  '',
];
const NUMBERS = [
  '0',
  '-0',
  '1e3',
  '0.1',
  '12345678901234567890',
  '1E400',
  '3.14159',
  '-17',
  '2.50',
];

function objectText(fields: Texts): string {
  const present = Object.entries(fields).filter(([, text]) => text !== undefined);
  return `{${present.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

function properties(random: Random): string {
  const items = Array.from({ length: random.below(4) }, () =>
    objectText({
      sku: JSON.stringify(`sku-${random.below(900)}`),
      title: JSON.stringify(random.pick(WORDS)),
      price: random.pick(NUMBERS),
      tags: `[${JSON.stringify(random.pick(WORDS))}, null,true]`,
    }),
  );
  return objectText({
    order_id: JSON.stringify(`order-${random.below(1_000_000)}`),
    total: random.pick(NUMBERS),
    items: `[${items.join(', ')}]`,
    note: JSON.stringify(random.pick(WORDS).repeat(1 + random.below(6))),
    escaped: '"\\u0041\\u00e9\\ud83d\\ude80 \\/"',
    is_gift: random.pick(['true', 'false', 'null']),
  });
}

function traits(random: Random): string {
  return objectText({
    email: JSON.stringify(`person-${random.below(10_000)}@example.com`),
    plan: JSON.stringify(random.pick(['free', 'pro', 'enterprise'])),
    address: objectText({ city: JSON.stringify(random.pick(WORDS)), zip: '"10115"' }),
  });
}

function context(random: Random): string {
  return objectText({
    library: '{"name":"web","version":"4.2.1"}',
    page: `{ "path" : ${JSON.stringify(`/p/${random.below(500)}`)} , "title":"\\u00dcber" }`,
    device: objectText({ memory: random.pick(NUMBERS), model: JSON.stringify(random.pick(WORDS)) }),
    locale: JSON.stringify(random.pick(['en-IN', 'de-DE', 'ja-JP'])),
  });
}
