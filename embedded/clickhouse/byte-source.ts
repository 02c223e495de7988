// Reads exact numbers of bytes from chunks of any size.

export type ByteSource = {
  /** Undefined if the bytes end before. */
  take(count: number): Promise<Buffer | undefined>;
  /** True if no byte follows. */
  isAtEnd(): Promise<boolean>;
};

export function byteSource(chunks: AsyncIterable<Buffer>): ByteSource {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let heldBytes = 0;

  async function fill(count: number): Promise<boolean> {
    while (heldBytes < count) {
      const next = await iterator.next();
      if (next.done === true) return false;
      held.push(next.value);
      heldBytes += next.value.length;
    }
    return true;
  }

  return {
    async take(count) {
      if (!(await fill(count))) return undefined;
      // One copy per call, and none if the bytes are in one chunk.
      const all = held.length === 1 ? held[0]! : Buffer.concat(held, heldBytes);
      held = [all.subarray(count)];
      heldBytes -= count;
      return all.subarray(0, count);
    },
    isAtEnd: async () => !(await fill(1)),
  };
}
