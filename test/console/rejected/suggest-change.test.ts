// The correction that is offered for a rejected event, and what it changes.

import { expect, test } from 'vitest';
import { offerInWords } from '../../../console/views/rejected/replay/change.ts';
import { changedFields } from '../../../console/views/rejected/replay/changed-fields.ts';
import { suggestChanges } from '../../../console/views/rejected/replay/suggest-change.ts';

test('is made from the message, once for each field', () => {
  const missing = (field: string) => ({
    code: 'MISSING_FIELD',
    message: `${field} is missing or empty.`,
  });
  const offers = suggestChanges([
    missing('sessionId'),
    missing('sessionId'),
    { code: 'MISSING_FIELD', message: 'event is missing or empty; it is required for track.' },
    { code: 'INVALID_TIMESTAMP', message: 'timestamp must be an ISO 8601 time.' },
    { code: 'INVALID_FIELD', message: 'userId must be a string.' },
    { code: 'INVALID_EVENT', message: 'The event must be an object.' },
  ]);
  expect(offers.map(offerInWords)).toEqual([
    'Set if missing · sessionId',
    'Set if missing · event',
    'Set timestamp to the time received',
  ]);
});

test('changes these fields, and the notation of others stays', () => {
  const before = '{"n":1.50,"a":{"b":[1,{"c":"x"}],"e":{}},"old":null}';
  const after = '{"n":1.50,"a":{"b":[1,{"c":"y"}],"e":{}},"sessionId":"s"}';
  expect(changedFields(before, after)).toEqual([
    { path: 'a.b.1.c', before: '"x"', after: '"y"' },
    { path: 'old', before: 'null', after: undefined },
    { path: 'sessionId', before: undefined, after: '"s"' },
  ]);
});
