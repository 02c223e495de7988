import { expect, test } from 'vitest';
import { readAmount } from '../../../console/pieces/decimal.ts';

test.each([
  ['12', '12'],
  [' 12.50 ', '12.50'],
  ['1,204.50', '1204.50'],
  ['1,00,000', '100000'],
  ['1 204 500', '1204500'],
  ['12,50', undefined],
  ['1500,50', undefined],
  ['1.204,50', undefined],
  ['1,,204', undefined],
  ['12.345', undefined],
  ['0.00', undefined],
  ['-5', undefined],
  ['', undefined],
])('%j is %j', (typed, amount) => {
  expect(readAmount(typed, '.')).toBe(amount);
});

test.each([
  ['12', '12'],
  ['12,50', '12.50'],
  ['12.50', '12.50'],
  ['1.204', '1204'],
  ['1.204,50', '1204.50'],
  ['1 204 500,00', '1204500.00'],
  ['1,204.50', undefined],
  ['12,345', undefined],
  ['1,,2', undefined],
])('with a decimal comma, %j is %j', (typed, amount) => {
  expect(readAmount(typed, ',')).toBe(amount);
});
