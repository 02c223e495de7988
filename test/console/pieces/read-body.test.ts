// The fields of an event as it was sent.

import { expect, test } from 'vitest';
import { readBody } from '../../../console/pieces/sent-event/read-body.ts';

const NOTHING = { type: null, name: null, userId: null, anonymousId: null, timestamp: null };

test('reads an event', () => {
  const body = JSON.stringify({ type: 'track', event: 'Paid', userId: 'ann' });
  expect(readBody(body)).toEqual({
    ...NOTHING,
    type: 'track',
    name: 'Paid',
    userId: 'ann',
  });
});

test.each([null, '', 'no JSON', '[1]', '"text"', '{"event":1,"userId":"","context":"web"}'])(
  'reads nothing from %j',
  body => expect(readBody(body)).toEqual(NOTHING),
);
