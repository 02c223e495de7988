import { expect, test } from 'vitest';
import { TopCounts } from '../../../schema/values/top-counts.ts';

test('counts are exact while there is room, and the highest come first', () => {
  const counts = new TopCounts(3);
  for (const id of ['a', 'b', 'b', 'c', 'c', 'c']) counts.add(id);
  expect(counts.top(2)).toEqual([
    ['c', 3],
    ['b', 2],
  ]);
});

test('any number of IDs takes the memory of a few, and a frequent one stays', () => {
  const counts = new TopCounts(10);
  for (let i = 0; i < 10_000; i++) {
    counts.add(`rare-${i}`);
    if (i % 5 === 0) counts.add('frequent');
  }
  expect(counts.top(10_000)).toHaveLength(10);
  expect(counts.top(10).map(([id]) => id)).toContain('frequent');
});
