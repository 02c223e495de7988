import { isUuid } from './uuid.ts';

/**
 * Encodes a UUID in ClickHouse's RowBinary format: two little-endian 64-bit halves, so bytes 7 to 0 of
 * the text, then 15 to 8.
 */
export function uuidToRowBinary(uuid: string): Uint8Array {
  if (!isUuid(uuid)) throw new TypeError('not a UUID');
  const hex = uuid.replaceAll('-', '');
  const bytes = new Uint8Array(16);
  for (let i = 0; i < 16; i++) {
    const byte = Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16);
    bytes[i < 8 ? 7 - i : 23 - i] = byte;
  }
  return bytes;
}
