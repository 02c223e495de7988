import { createHash } from 'node:crypto';

/** A UUIDv8 (RFC 9562) derived from the parts only: the same parts give the same ID. */
export function derivedUuid(...parts: readonly string[]): string {
  // Encoded as JSON, so that different lists of parts have different text.
  const name = parts.length === 1 ? parts[0]! : JSON.stringify(parts);
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
