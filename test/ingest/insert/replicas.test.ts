// Replicas that fail in the middle of an insert. Proxies in front of one engine represent replicas that have
// each other's parts and tokens, as ClickHouse Keeper provides them. A second engine represents a replica that
// has not received them yet.

import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../ingest/clock.ts';
import { type Block, cutBlocks } from '../../../ingest/insert/block.ts';
import { connectClickHouse } from '../../../ingest/insert/clickhouse.ts';
import { connectCell } from '../../../ingest/insert/connect-cell.ts';
import { type InsertBlockDeps, insertBlock } from '../../../ingest/insert/insert-block.ts';
import { onShard, shardBlocks } from '../../../ingest/insert/shard-blocks.ts';
import {
  type Exchange,
  type FaultProxy,
  loseAnswer,
  pass,
  startFaultProxy,
} from '../../harness/fault-proxy.ts';
import { useClickHouse } from '../../harness/own-clickhouse.ts';
import { segmentOfEvents } from './segment-of-events.ts';

const engine = useClickHouse();
const behind = useClickHouse();
let proxies: FaultProxy[] = [];
/** The inserts that arrived at each proxy. */
let inserts: number[] = [];
let failures: string[] = [];

beforeEach(async () => {
  proxies = [
    await startFaultProxy(engine().url),
    await startFaultProxy(engine().url),
    await startFaultProxy(behind().url),
  ];
  inserts = proxies.map(() => 0);
  failures = [];
  for (const n of proxies.keys()) onInsert(n, pass);
});

afterEach(async () => {
  for (const proxy of proxies) {
    await proxy.idle();
    await proxy.close();
  }
});

function onInsert(n: number, handling: (exchange: Exchange) => Promise<void>): void {
  proxies[n]!.onInsert = exchange => {
    inserts[n]!++;
    return handling(exchange);
  };
}

function depsOf(addresses: string, quorum = 1): InsertBlockDeps {
  return {
    clickhouse: connectCell(addresses, { quorum, monotonicMs: () => systemClock.monotonicMs() }),
    clock: { ...systemClock, sleep: () => new Promise(resolve => setImmediate(resolve)) },
    random: Math.random,
    signal: new AbortController().signal,
    beforeParts: () => Promise.resolve(),
    park: () => Promise.reject(new Error('nothing is refused')),
    onInserted: () => undefined,
    onPresent: () => undefined,
    onFailure: (_, error) => void failures.push(String(error)),
  };
}

async function blockOfEvents(ids = ['a', 'b', 'c']): Promise<Block> {
  const id = uuidv7();
  const [block] = cutBlocks([await segmentOfEvents(id, [ids.map(name => `${id} ${name}`)])]);
  return block!;
}

async function rowsOf(block: Block, of = engine()): Promise<number> {
  const [row] = await of.rows<{ n: string }>(
    `SELECT count() AS n FROM events_raw WHERE batch_id = '${block.groupId}'`,
  );
  return Number(row!.n);
}

const urls = (...numbers: number[]) => numbers.map(n => proxies[n]!.url).join();

test('blocks go round the replicas', async () => {
  const deps = depsOf(urls(0, 1));
  for (let n = 0; n < 4; n++)
    expect(await insertBlock(deps, await blockOfEvents(), 'never tried')).toBe(true);
  expect(inserts).toEqual([2, 2, 0]);
});

test('a replica that refuses connections is left out, and no block waits', async () => {
  proxies[0]!.refuseConnections(true);
  const closed = proxies[0]!.url;
  await proxies[0]!.close();
  proxies = proxies.slice(1);
  const deps = depsOf(`${closed},${proxies[0]!.url}`);
  for (let n = 0; n < 4; n++) {
    const block = await blockOfEvents();
    expect(await insertBlock(deps, block, 'never tried')).toBe(true);
    expect(await rowsOf(block)).toBe(3);
  }
  expect(failures).toEqual([]);
});

test('a block whose outcome a dead replica took along is found on another one, and not repeated', async () => {
  const block = await blockOfEvents();
  onInsert(1, async exchange => {
    await loseAnswer(exchange);
    proxies[1]!.refuseConnections(true);
  });
  expect(await insertBlock(depsOf(urls(0, 1)), block, 'never tried')).toBe(true);
  expect(inserts).toEqual([0, 1, 0]);
  expect(await rowsOf(block)).toBe(3);
});

test('a block that never reached the dead replica is inserted on another one with the same token', async () => {
  const block = await blockOfEvents();
  const tokens: string[] = [];
  onInsert(1, async exchange => {
    tokens.push(exchange.token);
    proxies[1]!.refuseConnections(true);
    exchange.cut();
  });
  onInsert(0, async exchange => {
    tokens.push(exchange.token);
    await pass(exchange);
  });
  expect(await insertBlock(depsOf(urls(0, 1)), block, 'never tried')).toBe(true);
  expect(tokens).toEqual([block.token, block.token]);
  expect(await rowsOf(block)).toBe(3);
});

test('a copy that the dead replica still delivers is dropped by its token', async () => {
  const block = await blockOfEvents();
  let late: Exchange | undefined;
  onInsert(1, async exchange => {
    late = exchange;
    proxies[1]!.refuseConnections(true);
    exchange.cut();
  });
  expect(await insertBlock(depsOf(urls(0, 1)), block, 'never tried')).toBe(true);
  await late!.forward();
  expect(await rowsOf(block)).toBe(3);
});

test('a replica that has not received the block yet does not hide it', async () => {
  const block = await blockOfEvents();
  // The insert goes to the second address, and the next attempt would go to the first.
  onInsert(0, loseAnswer);
  expect(await insertBlock(depsOf(urls(2, 0)), block, 'never tried')).toBe(true);
  expect(inserts).toEqual([1, 0, 0]);
  expect(await rowsOf(block)).toBe(3);
  expect(await rowsOf(block, behind())).toBe(0);
});

test('with a quorum, a block is stored only when enough replicas have it', async () => {
  const block = await blockOfEvents();
  onInsert(0, loseAnswer);
  const copied = Promise.withResolvers<void>();
  const deps = depsOf(urls(2, 0), 2);
  const stored = insertBlock(
    {
      ...deps,
      onFailure: (_, error) => {
        failures.push(String(error));
        // Replication: the other replica receives the part.
        if (failures.length === 3)
          insertBlock(
            { ...deps, clickhouse: connectClickHouse(behind().url) },
            block,
            'never tried',
          ).then(() => copied.resolve(), copied.reject);
      },
    },
    block,
    'never tried',
  );
  expect(await stored).toBe(true);
  await copied.promise;
  expect(failures.slice(1, 3)).toEqual(
    Array(2).fill('Error: The block is on 1 of the 2 required replicas.'),
  );
  expect(inserts).toEqual([1, 0, 0]);
});

test('each shard receives its rows, and a copy of an event goes to the shard that has the event', async () => {
  const ids = Array.from({ length: 40 }, (_, n) => `${uuidv7()} ${n}`);
  const deps = depsOf(`${proxies[0]!.url},${proxies[1]!.url};${proxies[2]!.url}`);
  // Two segments: an event and its copy, as after a client's retry.
  for (const id of [uuidv7(), uuidv7()]) {
    const blocks = cutBlocks([await segmentOfEvents(id, [ids])]);
    for await (const { block, shardDeps } of shardBlocks(deps, blocks))
      expect(await insertBlock(shardDeps, block, 'never tried')).toBe(true);
  }
  const [here, there] = await Promise.all(
    [engine(), behind()].map(shard =>
      shard.rows<{ id: string }>(
        `SELECT message_id AS id FROM events WHERE message_id IN {ids:Array(String)}`,
        { ids },
      ),
    ),
  );
  expect(here!.length).toBeGreaterThan(0);
  expect(there!.length).toBeGreaterThan(0);
  expect([...here!, ...there!].map(({ id }) => id).sort()).toEqual([...ids].sort());
});

test('a row that is refused for good is kept in the shard of its block', async () => {
  const { clickhouse } = depsOf(`${proxies[0]!.url};${proxies[2]!.url}`);
  const onSecond = onShard({ clickhouse }, { shard: 1 });
  expect(await onSecond.clickhouse.execute('SELECT 1 FORMAT TSV')).toBe('1\n');
  expect(onSecond.clickhouse).toBe(clickhouse.shards![1]);
});
