import { expect, test } from 'vitest';
import {
  inDateAndRelation,
  inRelation,
  inRelationAlone,
} from '../../../console/pieces/in-words.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const HOUR_MS = 3_600_000;
const after = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();

test.each([
  [0, 'now'],
  [-0.01, '36 seconds ago'],
  [-0.5, '30 minutes ago'],
  [-0.9999, '1 hour ago'],
  [25, 'in 1 day'],
  [47, 'in 2 days'],
  [-47, '2 days ago'],
  [24 * 59, 'in 2 months'],
  [24 * 90 - 1, 'in 3 months'],
  [24 * 365, 'in 1 year'],
])('%d hours away is %j, rounded', (hours, words) => {
  expect(inRelation(after(hours), NOW)).toBe(words);
});

test('outside of a sentence it begins with a capital', () => {
  expect([0, 47, -47].map(hours => inRelationAlone(after(hours), NOW))).toEqual([
    'Now',
    'In 2 days',
    '2 days ago',
  ]);
});

test('a deadline has its date, and its year if it is far away', () => {
  expect(inDateAndRelation(after(47), NOW)).toMatch(/^(24 Nov|Nov 24), in 2 days$/);
  expect(inDateAndRelation(after(24 * 300), NOW)).toMatch(/2027, in 10 months$/);
});
