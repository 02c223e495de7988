// The memory of group commits is allocated once and reused, regardless of how much waits for a
// commit.

import { expect, test } from 'vitest';
import { BufferPool, hasRoom } from '../../../ingest/spool/buffer-pool.ts';

const BATCH = new Uint8Array(100_000);
const CONNECTIONS = 512;

/** Takes the buffers needed for one batch per connection. */
function fill(pool: BufferPool) {
  const pieces = [pool.take()];
  for (let batch = 0; batch < CONNECTIONS; batch++) {
    if (!hasRoom(pieces.at(-1)!)) pieces.push(pool.take());
    pieces.at(-1)!.raw(BATCH);
  }
  return pieces;
}

test('batches of hundreds of concurrent connections reuse the buffers of the last commit', () => {
  const pool = new BufferPool();
  const first = fill(pool);
  expect(first.length).toBeGreaterThan(20);
  const capacities = first.map(({ capacity }) => capacity);
  for (const piece of first) pool.giveBack(piece);
  const second = fill(pool);
  expect(new Set([...first, ...second]).size).toBe(first.length);
  expect(second.map(({ capacity }) => capacity)).toEqual(capacities);
});

test('buffers unused for seconds are released, those in use are kept', () => {
  const pool = new BufferPool();
  const burst = fill(pool);
  pool.trim(10_000);
  for (const piece of burst) pool.giveBack(piece);
  pool.trim(13_000);
  for (let atMs = 14_000; atMs < 30_000; atMs += 1_000) {
    pool.giveBack(pool.take());
    pool.trim(atMs);
  }
  const again = fill(pool);
  const kept = burst.filter(piece => again.includes(piece));
  expect(kept.length).toBe(1);
});

test('a buffer enlarged by a large batch is not kept', () => {
  const pool = new BufferPool();
  const piece = pool.take();
  piece.raw(new Uint8Array(8 * 1024 * 1024));
  pool.giveBack(piece);
  expect(pool.take()).not.toBe(piece);
});
