// This thread's instance of the WebAssembly module that reads bodies and encodes rows (scan/). It
// has one memory for all requests: results are copied out in the same turn of the event loop, and a
// body is copied back before encoding if another body has been read in between.

import { readFileSync } from 'node:fs';
import { BATCH_EVENTS_MAX, BODY_BYTES_MAX } from '../limits.ts';
import type { BatchEvents } from './batch-events.ts';
import {
  ENVELOPE_AT,
  ENVELOPE_WORDS,
  EVENT_EXTRAS_AT,
  MEMBER_WORDS,
  MEMBERS_AT,
  MEMORY_BYTES,
  PADDING,
  RECORD_WORDS,
  RECORDS_AT,
} from './scan/layout.ts';

type Exports = {
  readonly scanBatch: (length: number) => number;
  readonly scanObject: (length: number) => number;
  readonly shareAmongRows: (
    middleBytes: number,
    tailBytes: number,
    shiftMs: number,
    earliestMs: number,
    latestMs: number,
  ) => void;
  readonly encodeRows: (count: number, firstRow: number) => number;
};

/** The caller of the scan converts it to a MALFORMED_JSON problem. */
export class MalformedJson extends Error {
  readonly offset: number;

  constructor(offset: number, byte: number | undefined) {
    super(
      byte === undefined
        ? `The JSON text ends unexpectedly at byte ${offset}.`
        : `Unexpected byte 0x${byte.toString(16).padStart(2, '0')} at offset ${offset} of the JSON text.`,
    );
    this.offset = offset;
  }
}

const PAGE_BYTES = 65_536;
/** Few batches are between their scan and their rows at the same time. */
const IDLE_RECORDS_MAX = 64;

class BodyScanner {
  readonly exports: Exports;
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  private length = 0;
  private held: BatchEvents | undefined;
  private readonly idleRecords: Int32Array<ArrayBuffer>[] = [];

  constructor(module: WebAssembly.Module) {
    const pages = Math.ceil(MEMORY_BYTES / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const malformed = (offset: number) => this.fail(offset);
    const instance = new WebAssembly.Instance(module, { json: { malformed }, env: { memory } });
    this.exports = instance.exports as Exports;
    this.bytes = new Uint8Array(memory.buffer);
    this.words = new Int32Array(memory.buffer);
  }

  /**
   * Returns 0, `EMPTY` or `OTHER_VALUE`. Throws `MalformedJson`. Precondition: the body is valid
   * UTF-8.
   */
  scanBatch(body: Uint8Array): number {
    this.take(body);
    return this.exports.scanBatch(body.length);
  }

  /** Returns the number of members, or the same codes as `scanBatch`. */
  scanObject(body: Uint8Array): number {
    this.take(body);
    return this.exports.scanObject(body.length);
  }

  envelope(): Int32Array {
    return this.copyWords(ENVELOPE_AT, ENVELOPE_WORDS);
  }

  /** The returned array has room for the largest batch, so that it can be reused. */
  records(count: number): Int32Array<ArrayBuffer> {
    const room = BATCH_EVENTS_MAX * RECORD_WORDS;
    const records = this.idleRecords.pop() ?? new Int32Array(room);
    const at = RECORDS_AT / 4;
    records.set(this.words.subarray(at, at + count * RECORD_WORDS));
    return records;
  }

  /** Returns the records of a batch for reuse. The caller must not read its events afterwards. */
  giveBack(events: BatchEvents): void {
    if (this.idleRecords.length < IDLE_RECORDS_MAX) this.idleRecords.push(events.records);
  }

  pairs(at: number, count: number): Int32Array {
    return this.copyWords(at, count * 2);
  }

  members(count: number): Int32Array {
    return this.copyWords(MEMBERS_AT, count * MEMBER_WORDS);
  }

  /** Notes that the memory contains these events unchanged. */
  holds(events: BatchEvents): void {
    this.held = events;
  }

  /** Copies the events back into the memory unless it still contains them. */
  hold(events: BatchEvents): void {
    if (this.held === events) return;
    this.take(events.bytes);
    this.words.set(events.records, RECORDS_AT / 4);
    this.words.set(events.extras, EVENT_EXTRAS_AT / 4);
    this.held = events;
  }

  private take(body: Uint8Array): void {
    if (body.length > BODY_BYTES_MAX) throw new Error('The body is larger than the limit.');
    this.held = undefined;
    this.length = body.length;
    this.bytes.set(body, 0);
    this.bytes.fill(0, body.length, body.length + PADDING);
  }

  private copyWords(at: number, count: number): Int32Array<ArrayBuffer> {
    return this.words.slice(at / 4, at / 4 + count) as Int32Array<ArrayBuffer>;
  }

  private fail(offset: number): never {
    const isInside = offset < this.length;
    throw new MalformedJson(
      isInside ? offset : this.length,
      isInside ? this.bytes[offset] : undefined,
    );
  }
}

const path = new URL('./scan/module.wasm', import.meta.url);

export const bodyScanner = new BodyScanner(new WebAssembly.Module(readFileSync(path)));
