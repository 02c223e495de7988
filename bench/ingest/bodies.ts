// Batches as web and app SDKs send them: all six types in realistic shares, nested properties, the
// context of the page and the device, and many scripts. The same number returns the same batch, so
// that every server receives the same bytes; only the IDs are new in each request.

import { createRandom, type Random } from '../../test/harness/random.ts';

export type BatchTemplate = {
  readonly body: Buffer;
  /** The offsets of the digits of each event's ID that change with every request. */
  readonly idOffsets: Uint32Array;
};

/** Hexadecimal digits at the front of each event's ID. */
export const ID_DIGITS = 8;

const ID_HOLE = '00000000';
/** The share of each event type, in percent. */
const SHARES = { track: 62, page: 18, screen: 10, identify: 5, group: 3, alias: 2 };
const TYPES = Object.entries(SHARES).flatMap(([type, share]) =>
  Array.from({ length: share }, () => type),
);
/** The maximum time for which events of a batch have waited on the device. */
const WAITED_MS_MAX = 10_000;

export function batchTemplate(
  number: number,
  events: number,
  writeKey: string,
  nowMs: number,
): BatchTemplate {
  const random = createRandom(number * 7_919 + events);
  const visitor = visitorOf(random);
  const texts: string[] = [];
  for (let index = 0; index < events; index++)
    texts.push(JSON.stringify(eventOf(random, visitor, number * events + index, nowMs)));
  const sentAt = new Date(nowMs).toISOString();
  const context = { region: 'ap-south-1', endpoint: 'https://in.example.com' };
  const text = JSON.stringify({ writeKey, sentAt, context, batch: [] });
  const body = Buffer.from(text.replace(/\[\]\}$/, () => `[${texts.join(',')}]}`));
  return { body, idOffsets: holesOf(body, events) };
}

function holesOf(body: Buffer, events: number): Uint32Array {
  const mark = `"messageId":"${ID_HOLE}`;
  const offsets = new Uint32Array(events);
  let at = 0;
  for (let index = 0; index < events; index++) {
    at = body.indexOf(mark, at) + mark.length;
    offsets[index] = at - ID_HOLE.length;
  }
  return offsets;
}

type Visitor = {
  readonly anonymousId: string;
  readonly userId: string | undefined;
  readonly sessionId: string;
  readonly isApp: boolean;
  readonly agent: string;
  readonly locale: string;
};

/** All events of a batch are from one device. */
function visitorOf(random: Random): Visitor {
  return {
    anonymousId: uuid(random),
    userId: random.below(3) > 0 ? `user_${random.below(200_000)}` : undefined,
    sessionId: `s-${hex(random, 12)}`,
    isApp: random.below(3) === 0,
    agent: random.pick(AGENTS),
    locale: random.pick(LOCALES),
  };
}

function eventOf(random: Random, visitor: Visitor, number: number, nowMs: number): object {
  const type = TYPES[(number * 37) % TYPES.length]!;
  return {
    type,
    ...(type === 'track' ? { event: random.pick(EVENT_NAMES) } : {}),
    ...(type === 'page' || type === 'screen' ? { name: random.pick(PAGE_NAMES) } : {}),
    messageId: ID_HOLE + uuid(random).slice(ID_DIGITS),
    timestamp: new Date(nowMs - random.below(WAITED_MS_MAX)).toISOString(),
    anonymousId: visitor.anonymousId,
    ...(visitor.userId === undefined ? {} : { userId: visitor.userId }),
    sessionId: visitor.sessionId,
    ...(type === 'identify' || type === 'group' ? { traits: traits(random) } : {}),
    ...(type === 'track' ? { properties: order(random) } : {}),
    ...(type === 'page' || type === 'screen' ? { properties: view(random) } : {}),
    ...(type === 'alias' ? { properties: { previous: uuid(random) } } : {}),
    context: context(random, visitor),
  };
}

function order(random: Random): object {
  const products = Array.from({ length: random.below(3) }, () => ({
    product_id: `p-${random.below(100_000)}`,
    name: random.pick(WORDS),
    price: random.below(500_000) / 100,
    quantity: 1 + random.below(4),
    tags: [random.pick(WORDS), random.pick(WORDS)],
  }));
  return {
    order_id: `o-${hex(random, 10)}`,
    value: random.below(10_000_000) / 100,
    currency: random.pick(['INR', 'EUR', 'USD', 'JPY']),
    is_gift: random.below(5) === 0,
    coupon: random.below(4) === 0 ? random.pick(WORDS) : null,
    products,
  };
}

function view(random: Random): object {
  return {
    path: `/p/${random.below(5_000)}`,
    title: random.pick(PAGE_NAMES),
    position: { scroll: random.below(100), viewport: [390 + random.below(1_000), 844] },
  };
}

function traits(random: Random): object {
  return {
    email: `person${random.below(200_000)}@example.com`,
    plan: random.pick(['free', 'pro', 'enterprise']),
    address: { city: random.pick(WORDS), postcode: String(10_000 + random.below(89_999)) },
  };
}

function context(random: Random, visitor: Visitor): object {
  const library = { name: visitor.isApp ? 'android' : 'web', version: '4.2.1' };
  const { agent, locale } = visitor;
  if (visitor.isApp)
    return {
      library,
      locale,
      app: { version: '7.14.2', build: 71402 },
      device: { model: random.pick(MODELS), os: 'Android 16', memory_mb: 8_192 },
      network: { carrier: random.pick(WORDS), wifi: random.below(2) === 0 },
    };
  const path = `/p/${random.below(5_000)}`;
  return {
    library,
    locale,
    userAgent: agent,
    page: {
      path,
      url: `https://shop.example.com${path}`,
      title: random.pick(PAGE_NAMES),
      referrer: random.below(2) === 0 ? 'https://www.example.org/search' : '',
    },
    screen: { width: 1_280 + random.below(1_280), height: 800 },
    ...(random.below(4) === 0
      ? { campaign: { source: 'newsletter', medium: 'email', name: random.pick(WORDS) } }
      : {}),
  };
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map(digits => hex(random, digits)).join('-');
}

function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => random.below(16).toString(16)).join('');
}

const EVENT_NAMES = [
  'Order Completed',
  'Product Viewed',
  'Product Added',
  'Cart Updated',
  'Checkout 🛒 Started',
  'geofence.entered',
  'Оплата прошла',
  '注文完了',
  'ऑर्डर पूरा हुआ',
];
const PAGE_NAMES = ['Home', 'Pricing', 'Über uns', '設定', 'Cart "quick" \\ view', 'Пользователь'];
const WORDS = [
  'cotton shirt',
  'größe M',
  'zażółć gęślą jaźń',
  'नमस्ते दुनिया',
  '東京',
  '🚀🌍',
  'two lines\nof text',
  'so-called "quotes"',
  'Mumbai',
  'summer sale 2026',
];
const LOCALES = ['en-IN', 'hi-IN', 'de-DE', 'ja-JP', 'pl-PL'];
const MODELS = ['Pixel 9', 'SM-S936B', 'CPH2449', 'M2101K6G'];
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
];
