// With several shards, each row goes to one of them, decided by its key alone. So all copies of an event are in
// the same shard, and migrations that move stored rows with SQL use the same shard.

import { createClient } from '@clickhouse/client';
import { v7 as uuidv7 } from 'uuid';
import { expect, inject, test } from 'vitest';
import { type Block, cutBlocks } from '../../../ingest/insert/block.ts';
import { loadRows, statementBody } from '../../../ingest/insert/block-body.ts';
import { halveBlock } from '../../../ingest/insert/halve-block.ts';
import { cutIntoShards } from '../../../ingest/insert/shard-blocks.ts';
import { shardRule } from '../../../ingest/insert/shard-of-row.ts';
import { readRow } from '../../../ingest/spool/split-rows.ts';
import { ALL_TABLES } from '../../../schema/rows/all-tables.ts';
import { SHARD_KEYS } from '../../../schema/rows/shard-keys.ts';
import { segmentOfEvents } from './segment-of-events.ts';

const FRAMES = Array.from({ length: 7 }, (_, frame) =>
  Array.from({ length: frame * 20 + 1 }, (_, n) => `message ${frame}-${n} ä`),
);
const ALL_IDS = FRAMES.flat();

async function wholeBlock(id = uuidv7()): Promise<Block> {
  const [block] = cutBlocks([await segmentOfEvents(id, FRAMES)]);
  return block!;
}

async function messageIdsOf(block: Block): Promise<string[]> {
  const rows = await loadRows(block);
  return rows.map(row => String(readRow(row, block.table.columns).message_id));
}

/** The data of the request, which must have the announced length. */
async function bodyOf(block: Block): Promise<Buffer> {
  const { bytes, pieces } = statementBody(block.body);
  const sent: Buffer[] = [];
  for await (const piece of pieces()) sent.push(Buffer.from(piece));
  const body = Buffer.concat(sent);
  expect(body.length).toBe(bytes);
  return body;
}

test('with one shard, a block stays as it is', async () => {
  const block = await wholeBlock();
  const cut = await cutIntoShards(block, 1);
  expect(cut).toHaveLength(1);
  expect(cut[0]).toBe(block);
});

test('with several shards, each row is in the block of one of them, in order, under a token of its own', async () => {
  const whole = await wholeBlock();
  const blocks = await cutIntoShards(whole, 3);
  expect(blocks.map(({ shard }) => shard)).toEqual([0, 1, 2]);
  const ids = await Promise.all(blocks.map(messageIdsOf));
  expect(ids.flat().sort()).toEqual([...ALL_IDS].sort());
  for (const own of ids) expect(own).toEqual(ALL_IDS.filter(id => own.includes(id)));
  expect(blocks.map(({ rows }) => rows)).toEqual(ids.map(own => own.length));
  expect(new Set(blocks.map(({ token }) => token)).size).toBe(3);
});

test('the rows in the range of a block that are in its shard are exactly its rows', async () => {
  for (const block of await cutIntoShards(await wholeBlock(), 4)) {
    const rows = await loadRows(block);
    const numbers = rows.map(row => Number(readRow(row, block.table.columns).batch_row));
    expect([numbers[0], numbers.at(-1)]).toEqual([block.firstRow, block.lastRow]);
  }
});

test('the same segment gives the same blocks each time', async () => {
  const whole = await wholeBlock();
  const cut = async () => {
    const blocks = await cutIntoShards(whole, 3);
    return Promise.all(blocks.map(async block => ({ ...block, body: await bodyOf(block) })));
  };
  expect(await cut()).toEqual(await cut());
});

test('the shard depends on the message ID only', async () => {
  const [one, other] = [await wholeBlock(), await wholeBlock()];
  const places = async (block: Block) => {
    const blocks = await cutIntoShards(block, 5);
    return Promise.all(blocks.map(async part => [part.shard, await messageIdsOf(part)]));
  };
  expect(await places(one)).toEqual(await places(other));
});

test('ClickHouse computes the same shard', async () => {
  const client = createClient({ url: inject('clickhouseUrl') });
  const blocks = await cutIntoShards(await wholeBlock(), 3);
  for (const block of blocks) {
    const result = await client.query({
      query: 'SELECT DISTINCT CRC32(arrayJoin({ids:Array(String)})) % 3 AS shard',
      query_params: { ids: await messageIdsOf(block) },
      format: 'JSONEachRow',
    });
    expect(await result.json()).toEqual([{ shard: block.shard }]);
  }
  await client.close();
});

test('halves of a block stay in its shard and have all of its rows', async () => {
  const [, block] = await cutIntoShards(await wholeBlock(), 3);
  let parts: readonly Block[] = [block!];
  while (parts.some(({ rows }) => rows > 1))
    parts = (
      await Promise.all(
        parts.map(
          async (part): Promise<readonly Block[]> => (part.rows > 1 ? halveBlock(part) : [part]),
        ),
      )
    ).flat();
  expect(new Set(parts.map(({ shard }) => shard))).toEqual(new Set([1]));
  expect((await Promise.all(parts.map(messageIdsOf))).flat()).toEqual(await messageIdsOf(block!));
});

test('each table of the warehouse has a key, of columns that it has', () => {
  const tables = ALL_TABLES.filter(({ destination }) => destination === 'warehouse');
  expect(Object.keys(SHARD_KEYS).sort()).toEqual(tables.map(({ name }) => name).sort());
  for (const table of tables) expect(() => shardRule(table, 2)).not.toThrow();
});
