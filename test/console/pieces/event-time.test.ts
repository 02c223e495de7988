// Whether an event's own time differs so much from its arrival that the console says so.

import { expect, test } from 'vitest';
import { differingEventTime } from '../../../console/pieces/sent-event/event-time.ts';

/** The event time that the console shows for an event of noon with this timestamp. */
function shownFor(timestamp: unknown): string | undefined {
  return differingEventTime({
    receivedAt: '2026-01-02T12:00:00.000Z',
    sdkKeyId: null,
    type: 'track',
    name: 'Viewed',
    messageId: 'message-1',
    userId: null,
    anonymousId: null,
    body: JSON.stringify({ type: 'track', timestamp }),
  });
}

test.each([
  ['2026-01-01T12:00:00.000Z', '2026-01-01T12:00:00.000Z'],
  ['2026-01-02T12:05:00.001Z', '2026-01-02T12:05:00.001Z'],
  ['2026-01-02T11:54:59.999Z', '2026-01-02T11:54:59.999Z'],
  // Ingest takes a time without a zone as UTC.
  ['2026-01-01T12:00:00', '2026-01-01T12:00:00.000Z'],
  ['2026-01-02T12:00:00+02:00', '2026-01-02T10:00:00.000Z'],
])('%s is shown', (timestamp, shown) => expect(shownFor(timestamp)).toBe(shown));

test.each(['2026-01-02T12:05:00.000Z', '2026-01-02T11:55:00Z', 'yesterday', 1, null, undefined])(
  '%j is not shown',
  timestamp => expect(shownFor(timestamp)).toBeUndefined(),
);

test('nothing is shown for a truncated body', () => {
  const receivedAt = '2026-01-02T12:00:00.000Z';
  const body = '{"timestamp":"2026-01-01T12:00:00.000Z","type":"tra';
  const fields = { sdkKeyId: null, type: null, name: null, messageId: null };
  expect(
    differingEventTime({ receivedAt, body, ...fields, userId: null, anonymousId: null }),
  ).toBeUndefined();
});
