import { expect, test } from 'vitest';
import { AVOIDED_MS, ReplicaChoice } from '../../../schema/values/replica-choice.ts';

test('a server that failed is tried last for a while', () => {
  let nowMs = 0;
  const choice = new ReplicaChoice(3, () => nowMs);
  choice.failed(0);
  expect(choice.order()).toEqual([1, 2, 0]);
  nowMs = AVOIDED_MS - 1;
  choice.failed(1);
  expect(choice.order()).toEqual([2, 0, 1]);
  nowMs = AVOIDED_MS;
  expect(choice.order()).toEqual([0, 2, 1]);
});

test('servers take turns', () => {
  const choice = new ReplicaChoice(2, () => 0);
  expect(choice.order()).toEqual([0, 1]);
  choice.advance();
  expect(choice.order()).toEqual([1, 0]);
});
