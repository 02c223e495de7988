// MurmurHash3 x64 128 (Austin Appleby, public domain) of a message id. 128 bits, because a
// collision would drop an event: at 10^12 ids the probability is 10^-15.

const C1: u64 = 0x87c37b91114253d5;
const C2: u64 = 0x4cf5ad432745937f;

/**
 * Writes the two halves to `to`. Reads whole words at the end, regardless of the bytes after the
 * text.
 */
export function print(start: i32, end: i32, to: i32): void {
  const length = <u64>(end - start);
  let h1: u64 = 0;
  let h2: u64 = 0;
  let pos = start;
  for (; pos + 16 <= end; pos += 16) {
    h1 ^= scrambleFirst(load<u64>(pos));
    h1 = (rotl<u64>(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= scrambleSecond(load<u64>(pos + 8));
    h2 = (rotl<u64>(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  const rest = end - pos;
  if (rest > 8) h2 ^= scrambleSecond(firstBytes(load<u64>(pos + 8), rest - 8));
  if (rest > 0) h1 ^= scrambleFirst(firstBytes(load<u64>(pos), min(rest, 8)));
  h1 ^= length;
  h2 ^= length;
  h1 += h2;
  h2 += h1;
  h1 = finish(h1);
  h2 = finish(h2);
  h1 += h2;
  h2 += h1;
  store<u64>(to, h1);
  store<u64>(to, h2, 8);
}

function scrambleFirst(word: u64): u64 {
  return rotl<u64>(word * C1, 31) * C2;
}

function scrambleSecond(word: u64): u64 {
  return rotl<u64>(word * C2, 33) * C1;
}

/** 1 to 8 bytes of the word. */
function firstBytes(word: u64, count: i32): u64 {
  const unused = (8 - count) * 8;
  return (word << unused) >> unused;
}

function finish(value: u64): u64 {
  let h = value;
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccd;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53;
  return h ^ (h >> 33);
}
