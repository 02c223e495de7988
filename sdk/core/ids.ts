// Time and randomness, which are passed in.

export type Ids = {
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Counts the entries of this client, so that those of one millisecond keep their order. */
  readonly nextNumber: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
};

export function createIds(): Ids {
  let number = 0;
  return { nowMs: Date.now, newId, nextNumber: () => number++, random: Math.random };
}

/** A UUID of version 4. `crypto.randomUUID` exists only on pages that were loaded over HTTPS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
