// The console parses the location of an error from its message. The messages here are created by
// ingest's own code, so that they cannot change unnoticed.

import { expect, test } from 'vitest';
import { jsonLines } from '../../../console/pieces/json/json-lines.ts';
import { markLine } from '../../../console/pieces/json/mark-line.ts';
import { placeOf } from '../../../console/pieces/sent-event/place-of.ts';
import { eventProblem } from '../../../ingest/accept/event-problem.ts';
import { EVENT, PROPERTIES, TIMESTAMP, USER_ID } from '../../../ingest/accept/scan/fields.ts';
import {
  INVALID_TIME,
  KEY_TOO_LONG,
  MISSING,
  NESTING_TOO_DEEP,
  NOT_AN_OBJECT,
  STRING_TOO_LONG,
  UNKNOWN_TYPE,
  WRONG_TYPE,
} from '../../../ingest/accept/scan/problems.ts';

function markedIn(body: object | number, number: number, field: number): string | undefined {
  const lines = markLine(jsonLines(JSON.stringify(body)), placeOf(eventProblem(number, field)));
  const marked = lines.filter(({ note }) => note !== undefined);
  expect(marked).toHaveLength(1);
  return marked[0]!.pieces.map(({ text }) => text).join('');
}

const LONG = 'x'.repeat(300);

test.each([
  ['a wrong type', { userId: 5, a: 1 }, WRONG_TYPE, USER_ID, '"userId": 5,'],
  ['a long string', { userId: LONG }, STRING_TOO_LONG, USER_ID, `"userId": "${LONG}"`],
  ['a missing name', { type: 'track' }, MISSING, EVENT, '"event"'],
  ['an empty name', { event: '' }, MISSING, EVENT, '"event": ""'],
  ['a type', { type: 'clicked' }, UNKNOWN_TYPE, 0, '"type": "clicked"'],
  ['a time', { timestamp: 'soon' }, INVALID_TIME, TIMESTAMP, '"timestamp": "soon"'],
  ['no object', 42, NOT_AN_OBJECT, 0, '42'],
  ['a long key', { properties: { a: { [LONG]: 1 } } }, KEY_TOO_LONG, PROPERTIES, `"${LONG}": 1`],
  [
    'a deep object',
    { properties: { l2: { l3: { l4: { l5: { l6: { a: 1 } } } } } } },
    NESTING_TOO_DEEP,
    PROPERTIES,
    '"l6": {',
  ],
])('finds %s', (_what, body, number, field, text) => {
  expect(markedIn(body, number, field)).toBe(text);
});
