import { expect, test } from 'vitest';
import { isChosen, suggested } from '../../../console/pieces/suggest/suggested.ts';

test('the text itself is suggested first, then those that begin with it, then those that contain it', () => {
  expect(suggested(['2510', '100', '10', '7'], '10')).toEqual(['10', '100', '2510']);
});

test('Enter never replaces a value that is to be taken as typed', () => {
  expect(isChosen('100', '10', 'same')).toBe(false);
  expect(isChosen('premium', 'pre', 'same')).toBe(false);
  expect(isChosen('10', '10', 'same')).toBe(true);
});

test('Enter completes the beginning of a whole value, and chooses a name by a part of it', () => {
  expect(isChosen('Lisbon', 'li', 'beginning')).toBe(true);
  expect(isChosen('Berlin', 'li', 'beginning')).toBe(false);
  expect(isChosen('Berlin', 'li', 'containing')).toBe(true);
  expect(isChosen('Berlin', '', 'containing')).toBe(false);
  expect(isChosen(undefined, 'li', 'containing')).toBe(false);
});
