// Scenarios in which the server responds normally.

import { rowAsEvent } from '../general-checks.ts';
import { batchAttempts, markOf } from '../record.ts';
import type { Scenario } from '../scenario.ts';
import type { StoredEvent } from '../service.ts';
import { type Stage, USER_ID } from '../stage.ts';

/** 250 events fit into three batches; some clients start another one when a timer fires. */
const MANY = { events: 250, requestsMax: 10 } as const;
/** 45 values of 9,000 bytes: within all limits, and two of them do not fit into one batch. */
const LARGE_PROPERTIES = bulk(45);
/** More than the maximum size of a body. */
const TOO_LARGE_PROPERTIES = bulk(70);

const VALUES = {
  text: 'Grüße, 東京, नमस्ते, العربية, 👩‍👩‍👧 🚀, e\u0301',
  escapes: 'quote " backslash \\ slash / newline \n tab \t bell \u0007 separators \u2028\u2029',
  blank: '',
  spaces: '  kept  ',
  'key with "quotes" and ünïcode': true,
  integer: 9_007_199_254_740_991,
  negative: -42,
  fraction: 0.1,
  price: 49.9,
  small: 1e-7,
  zero: 0,
  nothing: null,
  no: false,
  list: [1, 'two', null, [3], { four: 4 }],
  nested: { a: { b: { c: { d: 5 } } } },
  empty: {},
} as const;

export const GOOD_DAYS: readonly Scenario[] = [
  {
    name: 'plain-day',
    summary: 'One identify() call, three track() calls, then flush().',
    rules: ['flush', 'anonymous-id', 'session-id', 'user-id', 'order', 'close-ends'],
    arrival: 'flush',
    async play(stage) {
      stage.call('identify', { traits: { plan: 'pro' } });
      stage.track(3);
      stage.flush();
      await stage.untilStored();
    },
    check(stage) {
      checkIdentities(stage);
      checkOrder(stage);
    },
  },
  {
    name: 'every-kind',
    summary: 'One call of each type: track, identify, page, screen, group and alias.',
    rules: ['call-kinds'],
    async play(stage) {
      stage.call('identify', { traits: { email: 'ada@example.com', plan: 'pro' } });
      stage.call('track', { properties: { total: 49.9, currency: 'EUR' } });
      stage.call('page', { properties: { url: 'https://shop.example/checkout' } });
      stage.call('screen', { properties: { tab: 2 } });
      stage.call('group', { traits: { name: 'Example Ltd', seats: 12 } });
      stage.call('alias');
      stage.flush();
      await stage.untilStored();
    },
    check: (stage, stored) => checkStored(stage, stored, 'call-kinds'),
  },
  {
    name: 'values',
    summary: 'Properties with non-Latin scripts, emoji, escapes, numbers, null, lists and nesting.',
    rules: ['json-values'],
    async play(stage) {
      stage.call('track', { event: 'Zahlung 支払い 💳 "bezahlt"', properties: VALUES });
      stage.flush();
      await stage.untilStored();
    },
    check: (stage, stored) => checkStored(stage, stored, 'json-values'),
  },
  {
    name: 'many-events',
    summary: `${MANY.events} track() calls in a row.`,
    rules: ['batches-filled', 'order'],
    async play(stage) {
      stage.track(MANY.events);
      stage.flush();
      await stage.untilStored();
    },
    check(stage) {
      const { length } = batchAttempts(stage.record);
      const isFilled = length <= MANY.requestsMax;
      stage.expect('batches-filled', isFilled, `at most ${MANY.requestsMax} requests`, `${length}`);
      checkOrder(stage);
    },
  },
  {
    name: 'large-events',
    summary: 'Three events of 400 KB each. One event fits into a body, but two do not.',
    rules: ['batch-bytes'],
    async play(stage) {
      for (let event = 0; event < 3; event++) stage.call('track', { properties: LARGE_PROPERTIES });
      stage.flush();
      await stage.untilStored();
    },
  },
  {
    name: 'event-too-large',
    summary: 'An event of 630 KB between two others.',
    rules: ['event-too-large', 'queue-goes-on'],
    arrival: 'event-too-large',
    async play(stage) {
      stage.call('track');
      stage.call('track', { properties: TOO_LARGE_PROPERTIES }, 'dropped');
      stage.call('track');
      stage.flush();
      await stage.untilStored();
    },
  },
  {
    name: 'exit',
    summary: 'Five track() calls, then close() without flush(), then the process exits.',
    rules: ['close-flushes', 'close-ends'],
    arrival: 'close-flushes',
    async play(stage) {
      stage.track(5);
      await stage.close();
      await stage.untilStored();
    },
  },
];

function bulk(values: number): { readonly [key: string]: string } {
  return Object.fromEntries(
    Array.from({ length: values }, (_, index) => [`value_${index}`, 'x'.repeat(9_000)]),
  );
}

function checkIdentities(stage: Stage): void {
  const events = batchAttempts(stage.record).flatMap(({ delivery }) => delivery.events);
  const marked = events.filter(event => markOf(event) !== undefined);
  if (marked.length === 0) return;
  for (const [rule, field] of [
    ['anonymous-id', 'anonymousId'],
    ['session-id', 'sessionId'],
  ] as const) {
    const found = new Set(marked.map(event => event[field]));
    const isOne = found.size === 1;
    stage.expect(rule, isOne, `the same ${field} in all events`, [...found].join(', '));
  }
  const users = new Set(marked.map(({ userId }) => userId));
  const isOne = users.size === 1 && users.has(USER_ID);
  stage.expect('user-id', isOne, `userId ${USER_ID} in all events`, [...users].join(', '));
}

function checkOrder(stage: Stage): void {
  const { record } = stage;
  const sent = batchAttempts(record).flatMap(({ delivery }) => delivery.events.map(markOf));
  const first = [...new Set(sent)].filter(mark => mark !== undefined);
  const called = record.calls.map(({ mark }) => mark);
  const at = first.findIndex((mark, index) => mark !== called[index]);
  stage.expect('order', at === -1, `${called[at]} as event ${at}`, `${first[at]}`);
}

/** Checks that each value passed to a call is in its row. */
function checkStored(
  stage: Stage,
  rows: readonly StoredEvent[],
  rule: 'call-kinds' | 'json-values',
): void {
  for (const { mark, line } of stage.record.calls) {
    const event = rows.map(rowAsEvent).find(row => markOf(row) === mark);
    const { call, userId, ...fields } = line;
    const expected = { type: call, user_id: userId, ...fields };
    for (const [field, value] of Object.entries(expected)) {
      const found = event?.[field];
      const isSame = isWithin(value, found);
      const [wanted, came] = [JSON.stringify(value), JSON.stringify(found)];
      stage.expect(rule, isSame, `${call}: ${field} ${wanted}`, `${came}`);
    }
  }
}

/** Clients may add their own properties and traits. */
function isWithin(expected: unknown, found: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, found);
  if (typeof found !== 'object' || found === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(found) || expected.length !== found.length))
    return false;
  return Object.entries(expected).every(([key, value]) =>
    isWithin(value, (found as { readonly [key: string]: unknown })[key]),
  );
}
