import { expect, test } from 'vitest';
import { BodyMemory } from '../../../ingest/http/body-memory.ts';
import { BODY_BYTES_MAX } from '../../../ingest/limits.ts';

test('a returned buffer is reused for the next body of its size, one at a time', () => {
  const memory = new BodyMemory();
  const first = memory.take(70_000);
  const second = memory.take(70_000);
  expect(first.length).toBeGreaterThanOrEqual(70_000);
  expect(second.buffer).not.toBe(first.buffer);
  memory.giveBack(first);
  expect(memory.take(100_000)).toBe(first);
  expect(memory.take(100_000)).not.toBe(first);
});

test('the largest body fits, and the memory of a burst is released', () => {
  const memory = new BodyMemory();
  const burst = Array.from({ length: 100 }, () => memory.take(BODY_BYTES_MAX));
  expect(burst[0]!.length).toBeGreaterThanOrEqual(BODY_BYTES_MAX);
  for (const body of burst) memory.giveBack(body);
  const again = new Set(Array.from({ length: 100 }, () => memory.take(BODY_BYTES_MAX)));
  const kept = burst.filter(body => again.has(body));
  expect(kept.length).toBe(32);
});
