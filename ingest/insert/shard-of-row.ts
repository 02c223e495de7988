import { crc32 } from 'node:zlib';
import { SHARD_KEYS } from '../../schema/rows/shard-keys.ts';
import type { SegmentTable } from '../spool/segment-header.ts';
import { valueBytes } from '../spool/split-rows.ts';

/**
 * The number of a row's shard: the CRC-32 of its key, modulo the number of shards. Migrations place stored
 * events by the same rule, `CRC32(message_id) % n`, so it must never change.
 */
export function shardRule(table: SegmentTable, shards: number): (row: Uint8Array) => number {
  const key = SHARD_KEYS[table.name]?.map(names =>
    names.map(name => table.columns.findIndex(column => column.name === name)),
  );
  if (key === undefined || key.flat().includes(-1))
    throw new Error(`Rows of ${table.name} have no shard key.`);
  return row => {
    let hash = 0;
    for (const oneOf of key) {
      const values = oneOf.map(index => valueBytes(row, table.columns, index));
      const given = values.find(({ length }) => length > 0);
      if (given !== undefined) hash = crc32(given, hash);
    }
    return hash % shards;
  };
}
