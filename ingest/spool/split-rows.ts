// Parses RowBinary by the column types in a segment's header, to find where rows begin and to read
// their values. Not on the hot path: used only for blocks that ClickHouse rejects, for the few rows of
// the outbox, and for the shards of a cluster.

import type { Column, ColumnType } from '../../schema/rows/table.ts';

/** The rows of a payload, one slice each. */
export function splitRows(
  payload: readonly Uint8Array[],
  columns: readonly Column[],
): Uint8Array[] {
  const rows: Uint8Array[] = [];
  for (const part of payload) {
    let pos = 0;
    while (pos < part.length) {
      const start = pos;
      for (const column of columns) pos = endOfValue(part, pos, column.type);
      rows.push(part.subarray(start, pos));
    }
  }
  return rows;
}

/**
 * A row's values by column name: strings as text, numbers and times in ClickHouse's own notation.
 */
export function readRow(
  row: Uint8Array,
  columns: readonly Column[],
): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  let pos = 0;
  for (const column of columns) {
    const end = endOfValue(row, pos, column.type);
    values[column.name] = readValue(Buffer.from(row.subarray(pos, end)), column.type);
    pos = end;
  }
  return values;
}

/** The bytes of a row's value in the column with this index; those of a text without its length. */
export function valueBytes(row: Uint8Array, columns: readonly Column[], index: number): Uint8Array {
  let pos = 0;
  for (let before = 0; before < index; before++) pos = endOfValue(row, pos, columns[before]!.type);
  const { type } = columns[index]!;
  const start = type === 'String' ? readLength(row, pos).end : pos;
  return row.subarray(start, endOfValue(row, pos, type));
}

const FIXED_BYTES: Record<Exclude<ColumnType, 'String'>, number> = {
  UUID: 16,
  "DateTime64(3, 'UTC')": 8,
  UInt16: 2,
  UInt32: 4,
};

function endOfValue(bytes: Uint8Array, pos: number, type: ColumnType): number {
  // Most texts are short, and with shards every row is read.
  const first = bytes[pos] ?? SHORT_MAX;
  if (type === 'String' && first < SHORT_MAX && pos + first < bytes.length) return pos + 1 + first;
  const { end, length } =
    type === 'String' ? readLength(bytes, pos) : { end: pos, length: FIXED_BYTES[type] };
  if (end + length > bytes.length) throw new Error(`A row ends inside a ${type} at byte ${pos}.`);
  return end + length;
}

/** A length below this is one byte. */
const SHORT_MAX = 0x80;

function readLength(bytes: Uint8Array, pos: number): { end: number; length: number } {
  let length = 0;
  let factor = 1;
  let end = pos;
  for (;;) {
    const byte = bytes[end++] ?? 0;
    length += (byte & 0x7f) * factor;
    if (byte < 0x80) return { end, length };
    factor *= 0x80;
  }
}

function readValue(value: Buffer, type: ColumnType): string | number {
  switch (type) {
    case 'String':
      return value.subarray(readLength(value, 0).end).toString('utf8');
    case 'UUID':
      return readUuid(value);
    case "DateTime64(3, 'UTC')":
      return new Date(Number(value.readBigInt64LE(0))).toISOString();
    case 'UInt16':
      return value.readUInt16LE(0);
    case 'UInt32':
      return value.readUInt32LE(0);
  }
}

/** Formats 16 bytes as written by `uuidToRowBinary`. */
export function readUuid(value: Buffer): string {
  const high = value.readBigUInt64LE(0).toString(16).padStart(16, '0');
  const low = value.readBigUInt64LE(8).toString(16).padStart(16, '0');
  return `${high.slice(0, 8)}-${high.slice(8, 12)}-${high.slice(12)}-${low.slice(0, 4)}-${low.slice(4)}`;
}
