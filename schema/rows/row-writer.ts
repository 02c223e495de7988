// Writes rows in ClickHouse's RowBinary format (https://clickhouse.com/docs/interfaces/formats/RowBinary)
// into one growing buffer. No allocation per value, because ingest's hot path uses it.

const INITIAL_BYTES = 256 * 1024;
/** Below this length, a byte loop is faster than a native memory copy. */
const LOOP_COPY_BYTES_MAX = 64;
/** The maximum size of a String's length prefix. Lengths stay below 2^32. */
const LENGTH_BYTES_MAX = 5;

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

export class RowWriter {
  length = 0;
  private bytes: Uint8Array;
  private view: DataView;

  constructor(initialBytes = INITIAL_BYTES) {
    this.bytes = new Uint8Array(initialBytes);
    this.view = new DataView(this.bytes.buffer);
  }

  get capacity(): number {
    return this.bytes.length;
  }

  /** The bytes written since `start`; valid until the next write. */
  written(start = 0): Uint8Array {
    return this.bytes.subarray(start, this.length);
  }

  /** Discards the bytes written since `start`, but keeps the memory. */
  truncate(start: number): void {
    this.length = start;
  }

  /** Reserves space for a header that is filled in later, and returns its offset. */
  skip(count: number): number {
    this.reserve(count);
    this.length += count;
    return this.length - count;
  }

  /** Bytes that are already encoded. */
  raw(source: Uint8Array): void {
    this.reserve(source.length);
    this.copy(source, 0, source.length);
  }

  /** The 16 bytes of a UUID, already in RowBinary order. */
  uuid(value: Uint8Array): void {
    this.reserve(16);
    const { bytes, length } = this;
    for (let i = 0; i < 16; i++) bytes[length + i] = value[i]!;
    this.length += 16;
  }

  uint16(value: number): void {
    this.reserve(2);
    this.view.setUint16(this.length, value, true);
    this.length += 2;
  }

  uint32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.length, value, true);
    this.length += 4;
  }

  /** Milliseconds since 1970, encoded as the little-endian Int64 of a DateTime64(3). */
  instantMs(value: number): void {
    this.reserve(8);
    this.view.setUint32(this.length, value >>> 0, true);
    this.view.setInt32(this.length + 4, Math.floor(value / 0x1_0000_0000), true);
    this.length += 8;
  }

  /** A String column from the UTF-8 bytes `source[start, end)`. */
  slice(source: Uint8Array, start: number, end: number): void {
    this.reserve(LENGTH_BYTES_MAX + end - start);
    this.varUint(end - start);
    this.copy(source, start, end);
  }

  /** A String column from a JavaScript string, which must be well-formed. */
  text(value: string): void {
    if (value === '') {
      this.emptyText();
      return;
    }
    const encoded = Buffer.from(value, 'utf8');
    this.slice(encoded, 0, encoded.length);
  }

  emptyText(): void {
    this.reserve(1);
    this.bytes[this.length++] = 0;
  }

  /** A String column: a JSON object of the members at `spans` (at least one pair of offsets). */
  object(source: Uint8Array, spans: ArrayLike<number>): void {
    let size = 1 + spans.length / 2;
    for (let i = 0; i < spans.length; i += 2) size += spans[i + 1]! - spans[i]!;
    this.reserve(LENGTH_BYTES_MAX + size);
    this.varUint(size);
    for (let i = 0; i < spans.length; i += 2) {
      this.bytes[this.length++] = i === 0 ? OPEN_OBJECT : COMMA;
      this.copy(source, spans[i]!, spans[i + 1]!);
    }
    this.bytes[this.length++] = CLOSE_OBJECT;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  private varUint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  private copy(source: Uint8Array, start: number, end: number): void {
    const { bytes } = this;
    let { length } = this;
    if (end - start <= LOOP_COPY_BYTES_MAX) {
      for (let i = start; i < end; i++) bytes[length++] = source[i]!;
    } else {
      bytes.set(source.subarray(start, end), length);
      length += end - start;
    }
    this.length = length;
  }
}
