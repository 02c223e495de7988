// The corrections of a replay, as the form has them and as the API receives and returns them.

import { expect, test } from 'vitest';
import {
  type Change,
  changeInWords,
  changesOf,
  correctionOf,
  faultsOf,
  NEW_CHANGE,
} from '../../../console/views/rejected/replay/change.ts';

const CHANGES: readonly Change[] = [
  { kind: 'rename', path: 'user', value: 'text', to: 'userId' },
  { kind: 'drop', path: 'properties.secret', value: 'text', to: '' },
  { kind: 'set', path: 'timestamp', value: 'received_at', to: '' },
  { kind: 'set', path: 'properties.total', value: 'json', to: '49.9' },
  { kind: 'fill', path: 'properties.handle', value: 'text', to: '@ann' },
];

test('become a correction, in which text is never a placeholder', () => {
  expect(correctionOf(CHANGES)).toEqual({
    rename: { user: 'userId' },
    drop: ['properties.secret'],
    set: { timestamp: '@received_at', 'properties.total': 49.9 },
    fill: { 'properties.handle': '@@ann' },
  });
});

test('are the same again when they are read', () => {
  const read = changesOf(correctionOf(CHANGES));
  expect(correctionOf(read)).toEqual(correctionOf(CHANGES));
  expect(read.map(changeInWords)).toEqual([
    'Rename user to userId',
    'Remove properties.secret',
    'Set timestamp to the time received',
    'Set properties.total to 49.9',
    'Set properties.handle to “@ann” if it is missing',
  ]);
});

test('name what is missing', () => {
  expect(CHANGES.map(faultsOf)).toEqual(CHANGES.map(() => ({})));
  expect(Object.keys(faultsOf(NEW_CHANGE))).toEqual(['path']);
  expect(Object.keys(faultsOf({ ...NEW_CHANGE, path: 'a', value: 'json' }))).toEqual(['to']);
  expect(Object.keys(faultsOf({ ...NEW_CHANGE, path: 'a', kind: 'rename' }))).toEqual(['to']);
});
