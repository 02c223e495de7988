// MurmurHash3 x86 128 (Austin Appleby, public domain) of a message id, seeded by the workspace and
// the node. 128 bits, since a collision would drop an event: at 10^12 ids the odds are 10^-15.

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/** Writes the four words of the fingerprint of `bytes[start, end)` to `into` at `at`. */
export function fingerprint(
  bytes: Uint8Array,
  start: number,
  end: number,
  seed: number,
  into: Int32Array,
  at: number,
): void {
  let h1 = seed;
  let h2 = seed;
  let h3 = seed;
  let h4 = seed;
  let pos = start;
  for (; pos + 16 <= end; pos += 16) {
    h1 ^= scramble(word(bytes, pos), C1, 15, C2);
    h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0;
    h2 ^= scramble(word(bytes, pos + 4), C2, 16, C3);
    h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0;
    h3 ^= scramble(word(bytes, pos + 8), C3, 17, C4);
    h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0;
    h4 ^= scramble(word(bytes, pos + 12), C4, 18, C1);
    h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0;
  }
  h4 ^= scramble(tailWord(bytes, pos + 12, end), C4, 18, C1);
  h3 ^= scramble(tailWord(bytes, pos + 8, end), C3, 17, C4);
  h2 ^= scramble(tailWord(bytes, pos + 4, end), C2, 16, C3);
  h1 ^= scramble(tailWord(bytes, pos, end), C1, 15, C2);
  const length = end - start;
  h1 ^= length;
  h2 ^= length;
  h3 ^= length;
  h4 ^= length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = finish((h2 + h1) | 0);
  h3 = finish((h3 + h1) | 0);
  h4 = finish((h4 + h1) | 0);
  h1 = finish(h1);
  h1 = (h1 + h2 + h3 + h4) | 0;
  into[at] = h1;
  into[at + 1] = (h2 + h1) | 0;
  into[at + 2] = (h3 + h1) | 0;
  into[at + 3] = (h4 + h1) | 0;
}

function word(bytes: Uint8Array, pos: number): number {
  return bytes[pos]! | (bytes[pos + 1]! << 8) | (bytes[pos + 2]! << 16) | (bytes[pos + 3]! << 24);
}

/** The word of which the text may hold none or only the first bytes. */
function tailWord(bytes: Uint8Array, pos: number, end: number): number {
  let value = 0;
  for (let i = Math.min(end - pos, 4) - 1; i >= 0; i--) value = (value << 8) | bytes[pos + i]!;
  return value;
}

function scramble(value: number, first: number, turn: number, second: number): number {
  return Math.imul(rotate(Math.imul(value, first), turn), second);
}

function rotate(value: number, turn: number): number {
  return (value << turn) | (value >>> (32 - turn));
}

function finish(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
