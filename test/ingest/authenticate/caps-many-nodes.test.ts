// Several nodes share a real Postgres, and one of them loses it.

import fc from 'fast-check';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, inject, test } from 'vitest';
import type { DirectoryData } from '../../../ingest/authenticate/directory-data.ts';
import {
  leaseFromPostgres,
  pruneQuotaWindows,
  reportToPostgres,
} from '../../../ingest/authenticate/postgres-quota.ts';
import { leaseFrom } from '../../../ingest/authenticate/quota-arithmetic.ts';
import { eventually } from '../../harness/eventually.ts';
import { sql } from '../../harness/tenant.ts';
import { directoryData } from './accounts.ts';
import { startCuttableProxy } from './cuttable-proxy.ts';
import { type QuotaNode, startQuotaNode } from './quota-node.ts';

const KEY = 'key-of-one-tenant';
const MINUTE_MS = 60_000;
/** In the future, so that pruning never removes it; a minute and an hour start at this time. */
const HOUR_START_MS = Math.ceil(Date.now() / 3_600_000 + 24) * 3_600_000;

const NODES = 10;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map(cleanUp => cleanUp()));
});

/** Data with its own counters, because a counter's scope contains the ID of the key. */
function freshData(caps: Parameters<typeof directoryData>[0]): DirectoryData {
  return directoryData({ id: uuidv7(), ...caps });
}

function nodeOf(data: DirectoryData, databaseUrl = inject('databaseUrls').system): QuotaNode {
  const node = startQuotaNode(databaseUrl, data, HOUR_START_MS);
  cleanUps.push(() => node.stop());
  return node;
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject('databaseUrls').system });
  await client.connect();
  cleanUps.push(() => client.end());
  return client;
}

async function leasedIn(data: DirectoryData, window: string): Promise<number> {
  const scope = `key:${data.sdkKeys[0]!.id}:${window}`;
  const rows = await sql('SELECT sum(used) AS used FROM quota_windows WHERE scope = $1', [scope]);
  return Number(rows[0]!.used);
}

describe('the database’s function', () => {
  test('leases by the same rule as a single node', async () => {
    const client = await connected();
    const amount = fc.integer({ min: 1, max: 100 });
    const ask = fc.record({
      need: amount,
      want: fc.nat(300),
      cap: fc.integer({ min: 1, max: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { minLength: 1, maxLength: 8 }), async asks => {
        const scope = `test:${uuidv7()}`;
        let total = 0;
        for (const one of asks) {
          const wanted = [{ scope, windowStartMs: HOUR_START_MS, ...one }];
          const [lease] = await leaseFromPostgres(client, wanted);
          const granted = leaseFrom(total, one.need, one.want, one.cap);
          total += granted;
          expect(lease).toEqual({ granted, total });
        }
      }),
      { numRuns: 40 },
    );
  });

  test('never leases more than the cap to ten concurrent nodes', async () => {
    const clients = await Promise.all(Array.from({ length: NODES }, connected));
    const scopes = [`test:a:${uuidv7()}`, `test:b:${uuidv7()}`];
    const granted = new Map(scopes.map(scope => [scope, 0]));
    await Promise.all(
      clients.map(async (client, who) => {
        // Opposite orders would cause a deadlock if rows were locked in the given order.
        const order = who % 2 === 0 ? scopes : scopes.toReversed();
        for (let round = 0; round < 40; round++) {
          const wanted = order.map(scope => {
            return { scope, windowStartMs: HOUR_START_MS, need: 3, want: 7, cap: 500 };
          });
          const leases = await leaseFromPostgres(client, wanted);
          for (const [i, lease] of leases.entries()) {
            const scope = wanted[i]!.scope;
            granted.set(scope, granted.get(scope)! + lease.granted);
          }
        }
      }),
    );
    for (const sum of granted.values()) {
      expect(sum).toBeGreaterThan(500 - 3);
      expect(sum).toBeLessThanOrEqual(500);
    }
  });

  test('adds leases made without it', async () => {
    const client = await connected();
    const window = { scope: `test:${uuidv7()}`, windowStartMs: HOUR_START_MS };
    await reportToPostgres(client, [{ ...window, owed: 30 }]);
    await reportToPostgres(client, [{ ...window, owed: 30 }]);
    const wanted = { ...window, need: 41, want: 41, cap: 100 };
    expect(await leaseFromPostgres(client, [wanted])).toEqual([{ granted: 0, total: 60 }]);
  });
});

describe('nodes that share Postgres', () => {
  test('together admit exactly the cap, for any distribution of requests', async () => {
    const data = freshData({ minuteCap: 100 });
    const [left, right] = [nodeOf(data), nodeOf(data)];
    expect(await left.send(KEY, 60)).toBe(true);
    expect(await right.send(KEY, 60)).toBe(60);
    expect(await right.send(KEY, 40)).toBe(true);
    expect(await left.send(KEY, 1)).toBe(60);
    right.clock.ms += MINUTE_MS;
    expect(await right.send(KEY, 100)).toBe(true);
    expect(await leasedIn(data, 'minute')).toBe(200);
  });

  test('together admit exactly the cap if there are ten of them', async () => {
    const data = freshData({ minuteCap: 100 });
    const nodes = Array.from({ length: NODES }, () => nodeOf(data));
    let admitted = 0;
    for (let round = 0; round < 30; round++)
      for (const answer of await Promise.all(nodes.map(node => node.send(KEY, 1))))
        if (answer === true) admitted++;
    expect(admitted).toBe(100);
    expect(await leasedIn(data, 'minute')).toBe(100);
  });

  test('query a full window once, not for each request', async () => {
    const data = freshData({ minuteCap: 100 });
    const [left, right] = [nodeOf(data), nodeOf(data)];
    expect(await left.send(KEY, 100)).toBe(true);
    for (let i = 0; i < 500; i++) expect(await right.send(KEY, 1 + (i % 50))).toBe(60);
    expect(right.counts.asked).toBe(1);
  });

  test('never admit more than the caps, nor lease more', async () => {
    const batch = fc.record({ node: fc.nat(2), amount: fc.integer({ min: 1, max: 50 }) });
    const caps = fc.record({
      minuteCap: fc.integer({ min: 50, max: 400 }),
      hourCap: fc.integer({ min: 50, max: 400 }),
    });
    const traffic = fc.array(fc.array(batch, { maxLength: 12 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(caps, traffic, async (given, bursts) => {
        const data = freshData(given);
        const nodes = [0, 1, 2].map(() => nodeOf(data));
        let admitted = 0;
        for (const burst of bursts) {
          await Promise.all(
            burst.map(async ({ node, amount }) => {
              if ((await nodes[node]!.send(KEY, amount)) === true) admitted += amount;
            }),
          );
        }
        expect(admitted).toBeLessThanOrEqual(Math.min(given.minuteCap, given.hourCap));
        expect(await leasedIn(data, 'minute')).toBeLessThanOrEqual(given.minuteCap);
        expect(await leasedIn(data, 'hour')).toBeLessThanOrEqual(given.hourCap);
        await Promise.all(nodes.map(node => node.stop()));
      }),
      { numRuns: 25 },
    );
  });

  test('lease about once a second under steady load, for no more than a second in advance', async () => {
    const data = freshData({ minuteCap: 1_000_000 });
    const node = nodeOf(data);
    // 20 seconds at 1,000 events per second.
    for (let i = 0; i < 400; i++) {
      expect(await node.send(KEY, 50)).toBe(true);
      node.clock.ms += 50;
    }
    expect(await leasedIn(data, 'minute')).toBeLessThanOrEqual(20_000 + 1_100);
    expect(node.counts.asked).toBeLessThan(40);
  });

  test('do not lease the whole cap for one burst', async () => {
    const data = freshData({ minuteCap: 1_000_000 });
    const node = nodeOf(data);
    for (let i = 0; i < 10; i++) expect(await node.send(KEY, 100)).toBe(true);
    expect(await leasedIn(data, 'minute')).toBeLessThanOrEqual(2_000);
    // Each lease doubles, so a flood of batches doesn't need a request per batch.
    expect(node.counts.asked).toBeLessThanOrEqual(6);
  });
});

describe('a node that loses Postgres', () => {
  test('continues with its own counts, reports its leases, and shares again', async () => {
    const proxy = await startCuttableProxy(inject('databaseUrls').system);
    cleanUps.push(() => proxy.close());
    const data = freshData({ minuteCap: 100 });
    const [node, other] = [nodeOf(data, proxy.url), nodeOf(data)];
    expect(await other.send(KEY, 30)).toBe(true);
    expect(await node.send(KEY, 10)).toBe(true);

    proxy.cut();
    expect(await node.send(KEY, 61)).toBe(60);
    expect(await node.send(KEY, 40)).toBe(true);
    expect(node.counts).toMatchObject({ alone: 40, uncounted: 0 });
    expect(node.leases.aloneSinceMs).toBe(HOUR_START_MS);
    // The other nodes don't have this count yet.
    expect(await leasedIn(data, 'minute')).toBe(40);

    proxy.heal();
    await eventually(async () => {
      expect(node.leases.aloneSinceMs).toBeUndefined();
      expect(await leasedIn(data, 'minute')).toBe(80);
    });
    expect(await other.send(KEY, 21)).toBe(60);
    expect(await node.send(KEY, 20)).toBe(true);
    expect(node.counts.alone).toBe(40);
    expect(await leasedIn(data, 'minute')).toBe(100);
  });

  test('enforces the full cap alone in windows that it has no counts for', async () => {
    const proxy = await startCuttableProxy(inject('databaseUrls').system);
    cleanUps.push(() => proxy.close());
    const data = freshData({ minuteCap: 100 });
    const [node, other] = [nodeOf(data, proxy.url), nodeOf(data)];
    expect(await other.send(KEY, 100)).toBe(true);
    proxy.cut();
    expect(await node.send(KEY, 100)).toBe(true);
    expect(await node.send(KEY, 1)).toBe(60);
    for (let minute = 1; minute <= 10; minute++) {
      node.clock.ms = HOUR_START_MS + minute * MINUTE_MS;
      expect(await node.send(KEY, 90)).toBe(true);
      expect(await node.send(KEY, 90)).toBe(60);
    }
  });

  test('does not delay requests when the network drops all packets', async () => {
    const proxy = await startCuttableProxy(inject('databaseUrls').system);
    cleanUps.push(() => proxy.close());
    const node = nodeOf(freshData({ minuteCap: 100 }), proxy.url);
    expect(await node.send(KEY, 10)).toBe(true);
    proxy.freeze();
    expect(await node.send(KEY, 50)).toBe(true);
    expect(node.counts.alone).toBeGreaterThanOrEqual(50);
    expect(await node.send(KEY, 41)).toBe(60);
  });
});

test('ended windows are removed, others are not', async () => {
  const client = await connected();
  const [old, current] = [`test:${uuidv7()}`, `test:${uuidv7()}`];
  await sql(
    `INSERT INTO quota_windows (scope, window_start, used)
     VALUES ($1, now() - interval '3 hours', 1), ($2, now() - interval '1 hour', 1)`,
    [old, current],
  );
  // Pruning may remove old windows of other tests first.
  await eventually(async () => {
    await pruneQuotaWindows(client, Date.now());
    const scopes = [old, current];
    const rows = await sql('SELECT scope FROM quota_windows WHERE scope = ANY ($1)', [scopes]);
    expect(rows).toEqual([{ scope: current }]);
  });
});
