// A simple implementation of ingest/accept/scan in TypeScript that reads one byte at a time instead
// of 16. It never recurses, and reports an error at the same byte. The input must be valid UTF-8.

import {
  KEY_CHARACTERS_MAX,
  NESTING_LEVELS_MAX,
  VALUE_BYTES_MAX,
} from '../../../../ingest/limits.ts';
import { decodedCharacters, decodedUtf8Bytes } from './string-size.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

/** The spec's limits for properties, traits and context. */
export type LimitBreach = 'NESTING_TOO_DEEP' | 'KEY_TOO_LONG' | 'VALUE_TOO_LARGE';

export class MalformedJson extends Error {
  readonly offset: number;
  constructor(offset: number, bytes: Uint8Array) {
    const byte = bytes[offset];
    super(
      byte === undefined
        ? `The JSON text ends unexpectedly at byte ${offset}.`
        : `Unexpected byte 0x${byte.toString(16).padStart(2, '0')} at offset ${offset} of the JSON text.`,
    );
    this.offset = offset;
  }
}

export class JsonScanner {
  bytes: Uint8Array;
  pos = 0;
  end: number;
  /** Offsets of the content of the last string, and whether it contains escapes. */
  stringStart = 0;
  stringEnd = 0;
  hasEscapes = false;
  /** The first limit that the last value exceeded. */
  breach: LimitBreach | undefined;
  private containers = new Uint8Array(256);

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  fail(offset = this.pos): never {
    throw new MalformedJson(Math.min(offset, this.end), this.bytes.subarray(0, this.end));
  }

  /** Skips white space and returns the next byte without consuming it; -1 at the end. */
  peek(): number {
    const { bytes, end } = this;
    let pos = this.pos;
    while (pos < end) {
      const byte = bytes[pos]!;
      if (byte > SPACE) break;
      if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      pos++;
    }
    this.pos = pos;
    return pos < end ? bytes[pos]! : -1;
  }

  expect(byte: number): void {
    if (this.peek() !== byte) this.fail();
    this.pos++;
  }

  /** Fails unless only white space is left. */
  expectEnd(): void {
    if (this.peek() !== -1) this.fail();
  }

  /** Consumes a string and sets stringStart, stringEnd and hasEscapes. */
  string(): void {
    if (this.peek() !== QUOTE) this.fail();
    const { bytes, end } = this;
    let pos = this.pos + 1;
    this.stringStart = pos;
    this.hasEscapes = false;
    while (pos < end) {
      const byte = bytes[pos]!;
      if (byte === QUOTE) {
        this.stringEnd = pos;
        this.pos = pos + 1;
        return;
      }
      if (byte === BACKSLASH) {
        this.hasEscapes = true;
        pos = this.escape(pos);
      } else if (byte < SPACE) {
        this.fail(pos);
      } else pos++;
    }
    this.fail(pos);
  }

  /** Consumes a member's key and colon, and sets the offsets like string(). */
  key(): void {
    this.string();
    this.expect(COLON);
  }

  /**
   * Call after a member or element. Returns true if another follows, false if the container closed.
   */
  another(close: typeof CLOSE_OBJECT | typeof CLOSE_ARRAY): boolean {
    const byte = this.peek();
    if (byte !== COMMA && byte !== close) this.fail();
    this.pos++;
    return byte === COMMA;
  }

  /** Consumes the start of a container. Returns false if it is empty, and consumes its end too. */
  open(open: number, close: number): boolean {
    this.expect(open);
    if (this.peek() !== close) return true;
    this.pos++;
    return false;
  }

  /**
   * Consumes a value of any kind. With `limited`, the value is an object to which the spec's limits
   * apply, and `breach` is set to the first one exceeded; the rest is still checked for valid JSON.
   */
  value(limited = false): void {
    this.breach = undefined;
    let depth = 0;
    for (;;) {
      const byte = this.peek();
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.pos++;
        depth = this.enter(depth, byte);
        if (limited && depth > NESTING_LEVELS_MAX) this.breach ??= 'NESTING_TOO_DEEP';
        const close = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
        if (this.peek() !== close) {
          if (byte === OPEN_OBJECT) this.memberKey(limited);
          continue;
        }
        this.pos++;
        depth--;
      } else this.leaf(byte, limited);
      depth = this.leave(depth);
      if (depth === 0) return;
      if (this.containers[depth] === OPEN_OBJECT) this.memberKey(limited);
    }
  }

  /** Call after a value. Consumes closing brackets, up to the comma before the next value. */
  private leave(from: number): number {
    let depth = from;
    while (depth > 0) {
      const close = this.containers[depth] === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      if (this.another(close)) return depth;
      depth--;
    }
    return 0;
  }

  private enter(from: number, container: number): number {
    const depth = from + 1;
    if (depth === this.containers.length) {
      const grown = new Uint8Array(depth * 2);
      grown.set(this.containers);
      this.containers = grown;
    }
    this.containers[depth] = container;
    return depth;
  }

  private memberKey(limited: boolean): void {
    this.key();
    if (!limited || this.stringEnd - this.stringStart <= KEY_CHARACTERS_MAX) return;
    const characters = decodedCharacters(this.bytes, this.stringStart, this.stringEnd);
    if (characters > KEY_CHARACTERS_MAX) this.breach ??= 'KEY_TOO_LONG';
  }

  private leaf(byte: number, limited: boolean): void {
    const start = this.pos;
    if (byte === QUOTE) {
      this.string();
      if (!limited || this.stringEnd - this.stringStart <= VALUE_BYTES_MAX) return;
      const size = decodedUtf8Bytes(this.bytes, this.stringStart, this.stringEnd);
      if (size > VALUE_BYTES_MAX) this.breach ??= 'VALUE_TOO_LARGE';
      return;
    }
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      this.number();
      if (limited && this.pos - start > VALUE_BYTES_MAX) this.breach ??= 'VALUE_TOO_LARGE';
    } else if (byte === 0x74) this.literal('true');
    else if (byte === 0x66) this.literal('false');
    else if (byte === 0x6e) this.literal('null');
    else this.fail();
  }

  private literal(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[this.pos + i] !== word.charCodeAt(i) || this.pos + i >= this.end)
        this.fail(this.pos + i);
    }
    this.pos += word.length;
  }

  private number(): void {
    const { bytes } = this;
    if (bytes[this.pos] === 0x2d) this.pos++;
    if (bytes[this.pos] === 0x30 && this.pos < this.end) this.pos++;
    else this.digits();
    if (bytes[this.pos] === 0x2e && this.pos < this.end) {
      this.pos++;
      this.digits();
    }
    const exponent = this.pos < this.end ? bytes[this.pos]! | 0x20 : 0;
    if (exponent !== 0x65) return;
    this.pos++;
    const sign = bytes[this.pos];
    if (sign === 0x2b || sign === 0x2d) this.pos++;
    this.digits();
  }

  /** Consumes one or more digits. */
  private digits(): void {
    const { bytes, end } = this;
    const start = this.pos;
    let pos = start;
    while (pos < end && bytes[pos]! >= 0x30 && bytes[pos]! <= 0x39) pos++;
    this.pos = pos;
    if (pos === start) this.fail();
  }

  /** Consumes the escape at `pos` and returns the offset after it. */
  private escape(pos: number): number {
    const kind = pos + 1 < this.end ? this.bytes[pos + 1]! : -1;
    if (kind === 0x75) {
      for (let i = 2; i < 6; i++)
        if (!isHex(this.bytes[pos + i], pos + i < this.end)) this.fail(pos + i);
      return pos + 6;
    }
    if (!SIMPLE_ESCAPES.has(kind)) this.fail(pos + 1);
    return pos + 2;
  }
}

/** The characters allowed after a backslash, except u: quote, backslash, slash, b, f, n, r, t. */
const SIMPLE_ESCAPES = new Set([QUOTE, BACKSLASH, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);

function isHex(byte: number | undefined, inside: boolean): boolean {
  if (byte === undefined || !inside) return false;
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}
