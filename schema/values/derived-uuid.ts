import { createHash } from 'node:crypto';

/** A UUIDv8 (RFC 9562) that depends on nothing but the parts: the same ones give the same id. */
export function derivedUuid(...parts: readonly string[]): string {
  // As JSON, so that no two lists of parts read the same.
  const name = parts.length === 1 ? parts[0]! : JSON.stringify(parts);
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
