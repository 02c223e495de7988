// XXH32 with seed 0, the checksum of LZ4 frames, over bytes that arrive in pieces.

const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const PRIME_4 = 0x27d4eb2f;
const PRIME_5 = 0x165667b1;
const STRIPE_BYTES = 16;

export class Xxh32 {
  private readonly lanes = Int32Array.of(PRIME_1 + PRIME_2, PRIME_2, 0, -PRIME_1);
  private rest: Buffer = Buffer.alloc(0);
  private length = 0;

  update(bytes: Buffer): void {
    this.length += bytes.length;
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    let at = 0;
    for (; at + STRIPE_BYTES <= all.length; at += STRIPE_BYTES)
      for (let lane = 0; lane < 4; lane += 1) {
        const sum = this.lanes[lane]! + Math.imul(all.readInt32LE(at + 4 * lane), PRIME_2);
        this.lanes[lane] = Math.imul(rotated(sum, 13), PRIME_1);
      }
    // A copy: the caller may reuse its buffer.
    this.rest = Buffer.from(all.subarray(at));
  }

  digest(): number {
    const [one = 0, two = 0, three = 0, four = 0] = this.lanes;
    let hash =
      this.length < STRIPE_BYTES
        ? PRIME_5
        : rotated(one, 1) + rotated(two, 7) + rotated(three, 12) + rotated(four, 18);
    hash = (hash + this.length) | 0;
    let at = 0;
    for (; at + 4 <= this.rest.length; at += 4)
      hash = Math.imul(rotated(hash + Math.imul(this.rest.readInt32LE(at), PRIME_3), 17), PRIME_4);
    for (; at < this.rest.length; at += 1)
      hash = Math.imul(rotated(hash + Math.imul(this.rest[at]!, PRIME_5), 11), PRIME_1);
    hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
    hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
    return (hash ^ (hash >>> 16)) >>> 0;
  }
}

export function xxh32(bytes: Buffer): number {
  const hash = new Xxh32();
  hash.update(bytes);
  return hash.digest();
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
