// The WebAssembly module that reads bodies and encodes rows (scan/), and this thread's instance of
// it. It has one memory for all requests: what is read out of it is copied in the same turn of the
// event loop, and what is encoded later is put back if another body has been read meanwhile.

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

/** Turned into a MALFORMED_JSON problem by whoever asked for the scan. */
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
/** Few are under way between their scan and their rows. */
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

  /** 0, or `EMPTY` or `OTHER_VALUE`; throws `MalformedJson`. The body is valid UTF-8. */
  scanBatch(body: Uint8Array): number {
    this.take(body);
    return this.exports.scanBatch(body.length);
  }

  /** The number of members, or as above. */
  scanObject(body: Uint8Array): number {
    this.take(body);
    return this.exports.scanObject(body.length);
  }

  envelope(): Int32Array {
    return this.copyWords(ENVELOPE_AT, ENVELOPE_WORDS);
  }

  /** In memory for as many as a batch may have. */
  records(count: number): Int32Array<ArrayBuffer> {
    const room = BATCH_EVENTS_MAX * RECORD_WORDS;
    const records = this.idleRecords.pop() ?? new Int32Array(room);
    const at = RECORDS_AT / 4;
    records.set(this.words.subarray(at, at + count * RECORD_WORDS));
    return records;
  }

  /** The records of these events, which nobody looks at any more, may be another batch's. */
  giveBack(events: BatchEvents): void {
    if (this.idleRecords.length < IDLE_RECORDS_MAX) this.idleRecords.push(events.records);
  }

  pairs(at: number, count: number): Int32Array {
    return this.copyWords(at, count * 2);
  }

  members(count: number): Int32Array {
    return this.copyWords(MEMBERS_AT, count * MEMBER_WORDS);
  }

  /** The memory still has these events as they are. */
  holds(events: BatchEvents): void {
    this.held = events;
  }

  /** Puts the events back into memory, unless they are there. */
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
