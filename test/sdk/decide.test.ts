// What the client does after each response of the service.

import { expect, test } from 'vitest';
import { type Answer, type Decision, decide, FIRST_PACE } from '../../sdk/core/decide.ts';

const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const AT = { nowMs: NOW_MS, random: 0.5 };
const SUCCESS = { status: 'SUCCESS', accepted: 100 };

/** What is left of a decision after 100 events, as text: action, wait in ms, events of the next batch. */
type Row = [title: string, answer: Answer, expected: [Decision['action'], number, number]];

test.for<Row>([
  ['everything is stored', { status: 200, body: SUCCESS }, ['remove', 0, 100]],
  [
    'some events are rejected, the others stored',
    { status: 400, body: { code: 'EVENTS_REJECTED', rejected: [{ index: 3 }] } },
    ['remove', 0, 100],
  ],
  [
    'a batch that no service can read',
    { status: 400, body: { code: 'INVALID_BODY' } },
    ['keep', 0, 50],
  ],
  [
    'a batch that is too large',
    { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } },
    ['keep', 0, 50],
  ],
  ['a proxy finds it too large', { status: 413 }, ['keep', 0, 50]],
  ['a cap is reached', { status: 429, retryAfter: '30' }, ['keep', 33_750, 50]],
  ['a cap is reached, for a proxy', { status: 429 }, ['keep', 750, 50]],
  ['the service restarts', { status: 503, retryAfter: '5' }, ['keep', 5_625, 100]],
  ['the cell is away', { status: 502, retryAfter: '5' }, ['keep', 5_625, 100]],
  [
    'a date to wait for',
    { status: 503, retryAfter: 'Mon, 23 Nov 2026 12:00:10 GMT' },
    ['keep', 11_250, 100],
  ],
  ['a wait of a day', { status: 503, retryAfter: '86400' }, ['keep', 3_600_000, 100]],
  ['a wait that nobody understands', { status: 503, retryAfter: 'soon' }, ['keep', 750, 100]],
  ['an error', { status: 500, body: { code: 'INTERNAL' } }, ['keep', 750, 100]],
  ['no answer', { status: 0 }, ['keep', 750, 50]],
  ['the sign-in page of a network', { status: 200 }, ['keep', 750, 100]],
  ['another program', { status: 404, body: { code: 'NOT_FOUND' } }, ['keep', 750, 100]],
  ['a proxy refuses without a code', { status: 403 }, ['keep', 750, 100]],
  ['an unknown key', { status: 401, body: { code: 'INVALID_WRITE_KEY' } }, ['stop', 0, 100]],
  [
    'an origin that is not allowed',
    { status: 403, body: { code: 'ORIGIN_NOT_ALLOWED' } },
    ['stop', 0, 100],
  ],
])('%s', ([, answer, expected]) => {
  const { action, pace } = decide(answer, 100, FIRST_PACE, AT);
  expect([action, Math.max(0, pace.untilMs - NOW_MS), pace.eventsMax]).toEqual(expected);
});

test.for<[string, Answer]>([
  ['too large by itself', { status: 413 }],
  ['unreadable by itself', { status: 400, body: { code: 'INVALID_BODY' } }],
  ['for a widget that does not exist', { status: 404, body: { code: 'WIDGET_NOT_FOUND' } }],
  ['for a property of someone else', { status: 403, body: { code: 'TENANT_MISMATCH' } }],
])('a value that is %s is dropped', ([, answer]) => {
  expect(decide(answer, 1, FIRST_PACE, AT).action).toBe('drop');
});

test('the code and the text of the service are forwarded', () => {
  const body = { code: 'INVALID_WRITE_KEY', detail: 'Unknown key.' };
  const decision = decide({ status: 401, body }, 1, FIRST_PACE, AT);
  expect(decision).toMatchObject({ code: 'INVALID_WRITE_KEY', message: 'Unknown key.' });
});

test('the wait doubles up to five minutes, and a success resets it', () => {
  let pace = FIRST_PACE;
  const waits = Array.from({ length: 12 }, () => {
    pace = decide({ status: 500 }, 100, pace, { nowMs: NOW_MS, random: 1 }).pace;
    return (pace.untilMs - NOW_MS) / 1000;
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  expect(decide({ status: 200, body: SUCCESS }, 100, pace, AT).pace).toEqual(FIRST_PACE);
});

test('jitter spreads a wait over its second half, and never before Retry-After', () => {
  const waitOf = (answer: Answer, random: number) =>
    decide(answer, 1, FIRST_PACE, { nowMs: NOW_MS, random }).pace.untilMs - NOW_MS;
  expect([waitOf({ status: 500 }, 0), waitOf({ status: 500 }, 1)]).toEqual([500, 1_000]);
  const asked = { status: 503, retryAfter: '8' };
  expect([waitOf(asked, 0), waitOf(asked, 1)]).toEqual([8_000, 10_000]);
});

test('a batch shrinks to one event while it is too large, and grows again', () => {
  let pace = FIRST_PACE;
  const sizes: number[] = [];
  while (pace.eventsMax > 1) {
    pace = decide({ status: 413 }, pace.eventsMax, pace, AT).pace;
    sizes.push(pace.eventsMax);
  }
  expect(sizes).toEqual([50, 25, 13, 7, 4, 2, 1]);
  for (let i = 0; i < 7; i++) {
    pace = decide({ status: 200, body: SUCCESS }, pace.eventsMax, pace, AT).pace;
    sizes.push(pace.eventsMax);
  }
  expect(sizes.slice(7)).toEqual([2, 4, 8, 16, 32, 64, 100]);
});
