import { expect, test } from 'vitest';
import { isMore, readAmount } from '../../../console/pieces/decimal.ts';

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

test.each([
  ['600', '500.00', true],
  ['500', '500.00', false],
  ['500.01', '500.00', true],
  ['9.5', '10', false],
  ['900719925474099.93', '900719925474099.92', true],
  ['5', '4.999', true],
])('whether %j is more than %j', (amount, than, isIt) => {
  expect(isMore(amount, than)).toBe(isIt);
});

test('an amount is compared with the sum of several', () => {
  expect(isMore('170.50', '70.50', '100')).toBe(false);
  expect(isMore('170.50', '0.00', '100.00')).toBe(true);
});
