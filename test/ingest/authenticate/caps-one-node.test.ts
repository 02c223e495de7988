// A node without Postgres counts on its own, and exactly.

import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { CapCheck } from '../../../ingest/authenticate/check-caps.ts';
import { judge, leaseFrom } from '../../../ingest/authenticate/quota-arithmetic.ts';
import { createQuotaMemory, QuotaBoard } from '../../../ingest/authenticate/quota-board.ts';
import { QuotaSlots } from '../../../ingest/authenticate/quota-slots.ts';
import { directoryData, KEY as KEY_ID } from './accounts.ts';
import { buildDirectory } from './build-directory.ts';
import { NO_POSTGRES, PlainWindow, type QuotaNode, startQuotaNode } from './quota-node.ts';
import { keptLog, silentLog } from './silent-log.ts';

const KEY = 'key-of-one-tenant';
const OTHER_KEY = 'key-of-another-tenant';
const HOUR_MS = 3_600_000;
/** 30 minutes and 15 seconds into an hour. */
const NOW_MS = 500_000 * HOUR_MS + 30 * 60_000 + 15_000;

const nodes: QuotaNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map(node => node.stop()));
});

function nodeWith(...parts: Parameters<typeof directoryData>): QuotaNode {
  const node = startQuotaNode(NO_POSTGRES, directoryData(...parts), NOW_MS);
  nodes.push(node);
  return node;
}

describe('a minute cap of 100', () => {
  test('accepts 60, refuses 60 more, accepts 40, and nothing afterwards', async () => {
    const node = nodeWith({ minuteCap: 100 });
    expect(await node.send(KEY, 60)).toBe(true);
    expect(await node.send(KEY, 60)).toBe(45);
    expect(await node.send(KEY, 40)).toBe(true);
    expect(await node.send(KEY, 1)).toBe(45);
  });

  test('is reset at the start of the next minute', async () => {
    const node = nodeWith({ minuteCap: 100 });
    expect(await node.send(KEY, 100)).toBe(true);
    node.clock.ms = NOW_MS + 44_999;
    expect(await node.send(KEY, 1)).toBe(1);
    node.clock.ms = NOW_MS + 45_000;
    expect(await node.send(KEY, 100)).toBe(true);
    expect(await node.send(KEY, 1)).toBe(60);
  });

  test('is not reset by a clock that is set back', async () => {
    const node = nodeWith({ minuteCap: 100 });
    expect(await node.send(KEY, 100)).toBe(true);
    node.clock.ms += 60_000;
    expect(await node.send(KEY, 70)).toBe(true);
    node.clock.ms -= 60_000;
    expect(await node.send(KEY, 1)).toBe(45);
    node.clock.ms -= 1_000 * HOUR_MS;
    expect(await node.send(KEY, 1)).toBe(true);
    node.clock.ms = 0;
    expect(await node.send(KEY, 1)).toBe(true);
    node.clock.ms = -5;
    expect(await node.send(KEY, 1)).toBe(true);
  });

  test('is not exceeded by concurrent requests', async () => {
    const node = nodeWith({ minuteCap: 100 });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => node.send(KEY, 7)));
    expect(outcomes.filter(outcome => outcome === true)).toHaveLength(14);
    expect(await node.send(KEY, 2)).toBe(true);
  });

  test('that is edited applies immediately, including earlier requests of the window', async () => {
    const node = nodeWith({ minuteCap: 100 });
    expect(await node.send(KEY, 100)).toBe(true);
    node.use(directoryData({ minuteCap: 150 }));
    expect(await node.send(KEY, 51)).toBe(45);
    expect(await node.send(KEY, 50)).toBe(true);
    node.use(directoryData({ minuteCap: 120 }));
    expect(await node.send(KEY, 1)).toBe(45);
    node.use(directoryData());
    expect(await node.send(KEY, 100)).toBe(true);
  });

  test('that is lowered also limits earlier leases', async () => {
    const node = nodeWith({ minuteCap: 1_000 });
    for (let i = 0; i < 3; i++) expect(await node.send(KEY, 100)).toBe(true);
    const limit = { slot: node.slots.slotOf(`key:${KEY_ID}:minute`)!, windowMs: 60_000, cap: 0 };
    expect(node.board.open(limit, NOW_MS)).toMatchObject({ used: 300, granted: 400 });
    node.use(directoryData({ minuteCap: 310 }));
    expect(await node.send(KEY, 11)).toBe(45);
    expect(await node.send(KEY, 10)).toBe(true);
    expect(await node.send(KEY, 1)).toBe(45);
  });

  test('of one key does not affect another key', async () => {
    const node = nodeWith({ minuteCap: 100 }, { minuteCap: 100 });
    expect(await node.send(KEY, 100)).toBe(true);
    expect(await node.send(OTHER_KEY, 100)).toBe(true);
  });
});

test('a batch larger than the cap is accepted alone in an empty window', async () => {
  const node = nodeWith({ minuteCap: 10 });
  expect(await node.send(KEY, 100)).toBe(true);
  expect(await node.send(KEY, 1)).toBe(45);
  node.clock.ms += 60_000;
  expect(await node.send(KEY, 1)).toBe(true);
  expect(await node.send(KEY, 100)).toBe(45);
});

test('the response contains the longest wait of the caps that refuse', async () => {
  const node = nodeWith({ minuteCap: 10, hourCap: 20 });
  expect(await node.send(KEY, 10)).toBe(true);
  expect(await node.send(KEY, 5)).toBe(45);
  expect(await node.send(KEY, 15)).toBe(29 * 60 + 45);
});

test('the limit of a tenant applies to all its keys, and refused requests do not count toward caps', async () => {
  const data = directoryData({ minuteCap: 50 }, { minuteCap: 100 }, 60);
  // Both keys belong to the same workspace, and so to the same tenant.
  data.sdkKeys[1]!.workspaceId = data.sdkKeys[0]!.workspaceId;
  const node = startQuotaNode(NO_POSTGRES, data, NOW_MS);
  nodes.push(node);
  expect(await node.send(OTHER_KEY, 40)).toBe(true);
  expect(await node.send(KEY, 30)).toBe(45);
  expect(await node.send(KEY, 20)).toBe(true);
  node.use({
    ...data,
    organizations: data.organizations.map(row => ({ ...row, eventsPerMinute: null })),
  });
  expect(await node.send(KEY, 31)).toBe(45);
  expect(await node.send(KEY, 30)).toBe(true);
});

test('a flood of refused requests is not forwarded to the main thread', async () => {
  const node = nodeWith({ minuteCap: 100 });
  expect(await node.send(KEY, 100)).toBe(true);
  const { asked } = node.counts;
  for (let i = 0; i < 1_000; i++) expect(await node.send(KEY, 1 + (i % 100))).toBe(45);
  expect(node.counts.asked).toBe(asked);
});

test('if the main thread fails, events are accepted and counted separately', async () => {
  const board = new QuotaBoard(createQuotaMemory(4));
  const data = directoryData({ minuteCap: 1 });
  const directory = buildDirectory(data, new QuotaSlots(board, silentLog).assign(data, NOW_MS));
  const uncounted: number[] = [];
  const check = new CapCheck({
    board,
    askLease: () => Promise.reject(new Error('the port was closed')),
    onUncounted: amount => uncounted.push(amount),
  });
  expect(await check.admit(directory.accountOf(KEY)!, 60, NOW_MS)).toBeUndefined();
  expect(uncounted).toEqual([60]);
});

test('a key without caps requests no lease', async () => {
  const node = nodeWith();
  expect(await node.send(KEY, 1_000_000)).toBe(true);
  expect(node.counts).toEqual({ asked: 0, alone: 0, uncounted: 0 });
});

test('any traffic is counted like by a simple reference counter', async () => {
  const step = fc.record({
    key: fc.constantFrom(KEY, OTHER_KEY),
    amount: fc.integer({ min: 1, max: 100 }),
    waitMs: fc.oneof(fc.constant(0), fc.nat(2_000), fc.nat(90_000)),
  });
  const cap = fc.option(fc.integer({ min: 1, max: 300 }));
  await fc.assert(
    fc.asyncProperty(cap, cap, cap, cap, fc.array(step, { maxLength: 60 }), async (...given) => {
      const [minuteCap, hourCap, otherCap, tenantCap, steps] = given;
      const data = directoryData({ minuteCap, hourCap }, { minuteCap: otherCap }, tenantCap);
      data.sdkKeys[1]!.workspaceId = data.sdkKeys[0]!.workspaceId;
      const node = startQuotaNode(NO_POSTGRES, data, NOW_MS);
      try {
        const windows = new Map<string, PlainWindow>();
        const windowOf = (name: string, windowCap: number | null, windowMs: number) => {
          if (windowCap === null) return [];
          const id = `${name} ${Math.floor(node.clock.ms / windowMs)}`;
          const window = windows.get(id) ?? new PlainWindow(windowCap);
          windows.set(id, window);
          return [window];
        };
        for (const { key, amount, waitMs } of steps) {
          node.clock.ms += waitMs;
          const all = [
            ...windowOf(`${key} minute`, key === KEY ? minuteCap : otherCap, 60_000),
            ...windowOf(`${key} hour`, key === KEY ? hourCap : null, HOUR_MS),
            ...windowOf('tenant', tenantCap, 60_000),
          ];
          const fits = all.every(window => window.wouldTake(amount));
          if (fits) for (const window of all) window.used += amount;
          expect((await node.send(key, amount)) === true).toBe(fits);
        }
      } finally {
        await node.stop();
      }
    }),
    { numRuns: 60 },
  );
});

test('concurrent threads are admitted by both caps or by neither', async () => {
  const pairs = 20_000;
  const threads = 4;
  const start = new SharedArrayBuffer(4);
  const memory = createQuotaMemory(2 * pairs);
  const board = new QuotaBoard(memory);
  const [wide, narrow] = [25, 20];
  const limits = Array.from({ length: pairs }, (_, pair) => {
    return [wide, narrow].map((cap, i) => {
      const limit = { slot: 2 * pair + i, windowMs: 60_000, cap, scope: '', name: '' };
      board.open(limit, NOW_MS);
      board.addLease(limit, NOW_MS, cap, cap);
      return limit;
    });
  });
  const workers = Array.from({ length: threads }, () => {
    const workerData = { memory, start, threads, limits, nowMs: NOW_MS };
    return new Worker(new URL('board-worker.ts', import.meta.url), { workerData });
  });
  const admitted = await Promise.all(
    workers.map(worker => {
      return new Promise<number[]>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      });
    }),
  );
  for (const [pair, counted] of limits.entries()) {
    const sum = admitted.reduce((total, one) => total + one[pair]!, 0);
    // Each thread sent until not even one more event was accepted.
    const used = counted.map(limit => board.open(limit, NOW_MS).used);
    if (sum !== narrow || used.some(one => one !== sum)) expect({ sum, used }).toEqual(narrow);
  }
});

test('a lease always adds capacity, and never more than the cap', () => {
  const amount = fc.integer({ min: 1, max: 200 });
  fc.assert(
    fc.property(fc.nat(300), amount, fc.nat(400), amount, (total, need, want, cap) => {
      const granted = leaseFrom(total, need, want, cap);
      if (granted === 0) {
        expect(total).toBeGreaterThan(0);
        expect(judge(0, 0, total, need, cap)).toBe('refused');
      } else {
        expect(granted).toBeGreaterThanOrEqual(need);
        expect(total + granted <= cap || (total === 0 && granted === need)).toBe(true);
        expect(judge(0, granted, total + granted, need, cap)).toBe('fits');
      }
    }),
  );
});

describe('slots of the quota board', () => {
  test('keep their scopes when directories are replaced', () => {
    const slots = new QuotaSlots(new QuotaBoard(createQuotaMemory(8)), silentLog);
    const first = new Map(slots.assign(directoryData({ minuteCap: 1 }, { minuteCap: 1 }, 9), 0));
    const second = slots.assign(directoryData({ minuteCap: 2, hourCap: 5 }, {}, 9), 1);
    expect(first.size).toBe(3);
    for (const [scope, slot] of second) {
      if (first.has(scope)) expect(first.get(scope)).toBe(slot);
      else expect([...first.values()]).not.toContain(slot);
    }
  });

  test('are reused, empty, once no thread can still refer to the old scope', () => {
    const board = new QuotaBoard(createQuotaMemory(1));
    const { log, lines } = keptLog();
    const slots = new QuotaSlots(board, log);
    const [slot] = slots.assign(directoryData({ minuteCap: 1 }), 0).values();
    const limit = { slot: slot!, windowMs: 60_000, cap: 1 };
    board.open(limit, 0);
    board.addLease(limit, 0, 1, 1);

    const moved = directoryData({}, { minuteCap: 1 });
    expect(slots.assign(moved, 1_000).size).toBe(0);
    expect(slots.missing).toBe(1);
    expect(lines.join('')).toContain('all quota counters are in use');
    expect([...slots.assign(moved, 61_000).values()]).toEqual([slot]);
    expect(slots.missing).toBe(0);
    expect(board.open(limit, 0).granted).toBe(0);
  });
});
