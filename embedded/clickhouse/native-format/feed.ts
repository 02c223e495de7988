// Input that arrives in pieces, for a parser written as a generator: it yields when it needs the
// next piece. Bytes that the parser passes are copied to the output; bytes that it takes are not.

export type Parsing<Result> = Generator<undefined, Result, undefined>;

export class Feed {
  private piece: Buffer = Buffer.alloc(0);
  private at = 0;
  /** The part of the piece before this position is in the output. */
  private from = 0;
  private isTaking = false;
  private output: Buffer[] = [];

  give(piece: Buffer): void {
    this.piece = piece;
    this.at = 0;
    this.from = 0;
  }

  /** Returns the output so far and removes it here. */
  collect(): Buffer[] {
    this.copyPassed();
    const output = this.output;
    this.output = [];
    return output;
  }

  insert(bytes: Buffer): void {
    this.copyPassed();
    this.output.push(bytes);
  }

  /** A text in the format's encoding, preceded by its length. */
  insertText(text: string): void {
    const bytes = Buffer.from(text);
    let left = bytes.length;
    const length: number[] = [];
    for (; left >= 128; left = Math.floor(left / 128)) length.push((left % 128) + 128);
    this.insert(Buffer.concat([Buffer.from([...length, left]), bytes]));
  }

  /** Runs a part of the parser without copying its input. */
  *taking<Result>(part: () => Parsing<Result>): Parsing<Result> {
    this.copyPassed();
    this.isTaking = true;
    const result = yield* part();
    this.from = this.at;
    this.isTaking = false;
    return result;
  }

  /** Waits until there is a byte. */
  *ready(): Parsing<void> {
    while (this.at === this.piece.length) {
      this.copyPassed();
      yield;
    }
  }

  *byte(): Parsing<number> {
    yield* this.ready();
    this.at += 1;
    return this.piece[this.at - 1]!;
  }

  *bytes(count: number): Parsing<Buffer> {
    const result = Buffer.alloc(count);
    for (let index = 0; index < count; index += 1) result[index] = yield* this.byte();
    return result;
  }

  *pass(count: number): Parsing<void> {
    let left = count;
    while (left > 0) {
      yield* this.ready();
      const step = Math.min(left, this.piece.length - this.at);
      this.at += step;
      left -= step;
    }
  }

  *varint(): Parsing<number> {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = yield* this.byte();
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }

  *uint64(): Parsing<number> {
    return Number((yield* this.bytes(8)).readBigUInt64LE());
  }

  *text(): Parsing<string> {
    return (yield* this.bytes(yield* this.varint())).toString('utf8');
  }

  *passStrings(count: number): Parsing<void> {
    for (let index = 0; index < count; index += 1) {
      // Most strings are short and whole in this piece.
      const length = this.piece[this.at];
      if (length !== undefined && length < 128 && this.at + length < this.piece.length)
        this.at += 1 + length;
      else yield* this.pass(yield* this.varint());
    }
  }

  private copyPassed(): void {
    if (!this.isTaking && this.from < this.at)
      this.output.push(this.piece.subarray(this.from, this.at));
    this.from = this.at;
  }
}
