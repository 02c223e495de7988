// CityHash128 in version 1.0.2, the checksum of ClickHouse's compressed blocks. Later versions give
// other values. Compiled to WebAssembly, because JavaScript has no fast 64-bit multiplication.

const K0: u64 = 0xc3a5c85c97cb3127;
const K1: u64 = 0xb492b66fbe98f273;
const K2: u64 = 0x9ae16a3b2f90404f;
const K3: u64 = 0xc949d7c7509e6557;
const MIX: u64 = 0x9ddfea08eb382d69;

/** Its low and high half, at these addresses; the host puts the bytes behind them. */
const LOW_AT: usize = 0;
const HIGH_AT: usize = 8;

/** The two halves of the last `weak`. */
let weakFirst: u64 = 0;
let weakSecond: u64 = 0;

export function hash128(at: usize, length: usize): void {
  if (length >= 16) hashSeeded(at + 16, length - 16, word(at) ^ K3, word(at + 8));
  else if (length >= 8)
    hashSeeded(at, 0, word(at) ^ (<u64>length * K0), word(at + length - 8) ^ K1);
  else hashSeeded(at, length, K0, K1);
}

function hashSeeded(at: usize, length: usize, low: u64, high: u64): void {
  if (length < 128) hashShort(at, length, low, high);
  else hashLong(at, length, low, high);
}

function hashShort(start: usize, length: usize, low: u64, high: u64): void {
  let a = low;
  let b = high;
  let c: u64;
  let d: u64;
  if (length <= 16) {
    a = mixed(a * K1) * K1;
    c = b * K1 + hashTiny(start, length);
    d = mixed(a + (length >= 8 ? word(start) : c));
  } else {
    const end = start + length;
    c = hash16(word(end - 8) + K1, a);
    d = hash16(b + length, c + word(end - 16));
    a += d;
    // The last whole or partial 16 bytes are only in the two lines above.
    for (let at = start; at < end - 16; at += 16) {
      a = (a ^ (mixed(word(at) * K1) * K1)) * K1;
      b ^= a;
      c = (c ^ (mixed(word(at + 8) * K1) * K1)) * K1;
      d ^= c;
    }
  }
  a = hash16(a, c);
  b = hash16(d, b);
  store<u64>(LOW_AT, a ^ b);
  store<u64>(HIGH_AT, hash16(b, a));
}

function hashLong(start: usize, length: usize, low: u64, high: u64): void {
  const end = start + length;
  let x = low;
  let y = high;
  let z = <u64>length * K1;
  let v1 = rotr(y ^ K1, 49) * K1 + word(start);
  let v2 = rotr(v1, 42) * K1 + word(start + 8);
  let w1 = rotr(y + z, 35) * K1 + x;
  let w2 = rotr(x + word(start + 88), 53) * K1;
  // Pairs of rounds only: a remaining half pair belongs to the tail.
  const roundsEnd = start + (length & ~(<usize>127));
  for (let at = start; at < roundsEnd; at += 64) {
    x = rotr(x + y + v1 + word(at + 16), 37) * K1;
    y = rotr(y + v2 + word(at + 48), 42) * K1;
    x ^= w2;
    y ^= v1;
    z = rotr(z ^ w1, 33);
    weak(at, v2 * K1, x + w1);
    v1 = weakFirst;
    v2 = weakSecond;
    weak(at + 32, z + w2, y);
    w1 = weakFirst;
    w2 = weakSecond;
    const swapped = z;
    z = x;
    x = swapped;
  }
  y += rotr(w1, 37) * K0 + z;
  x += rotr(v1 + z, 49) * K0;
  // 32 bytes at a time from the end, so the last ones overlap what was read before.
  const tail = end - roundsEnd;
  for (let done: usize = 32; done < tail + 32; done += 32) {
    y = rotr(y - x, 42) * K0 + v2;
    w1 += word(end - done + 16);
    x = rotr(x, 49) * K0 + w1;
    w1 += v1;
    weak(end - done, v1, v2);
    v1 = weakFirst;
    v2 = weakSecond;
  }
  x = hash16(x, v1);
  y = hash16(y, w1);
  store<u64>(LOW_AT, hash16(x + v2, w2) + y);
  store<u64>(HIGH_AT, hash16(x + w2, y + v2));
}

/** Up to 16 bytes. */
function hashTiny(at: usize, length: usize): u64 {
  if (length > 8) {
    const last = word(at + length - 8);
    return hash16(word(at), rotr(last + length, length)) ^ last;
  }
  if (length >= 4)
    return hash16(<u64>length + ((<u64>load<u32>(at)) << 3), <u64>load<u32>(at + length - 4));
  if (length === 0) return K2;
  const first: u32 = load<u8>(at);
  const middle: u32 = load<u8>(at + (length >> 1));
  const last: u32 = load<u8>(at + length - 1);
  const y: u32 = first + (middle << 8);
  const z: u32 = <u32>length + (last << 2);
  return mixed((<u64>y * K2) ^ (<u64>z * K3)) * K2;
}

/** 32 bytes and two seeds to two words: `weakFirst` and `weakSecond`. */
function weak(at: usize, seedFirst: u64, seedSecond: u64): void {
  const last = word(at + 24);
  const first = seedFirst + word(at);
  const sum = first + word(at + 8) + word(at + 16);
  const second = rotr(seedSecond + first + last, 21) + rotr(sum, 44);
  weakFirst = sum + last;
  weakSecond = second + first;
}

function hash16(low: u64, high: u64): u64 {
  const a = mixed((low ^ high) * MIX);
  return mixed((high ^ a) * MIX) * MIX;
}

function mixed(value: u64): u64 {
  return value ^ (value >> 47);
}

function word(at: usize): u64 {
  return load<u64>(at);
}
