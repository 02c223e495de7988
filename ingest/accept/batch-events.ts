// The events of one batch as offsets into its body, in the records that the scanner has made of
// them (scan/layout.ts): a node reads hundreds of thousands of events a second and builds no object
// for any of them.

import { parseInstant } from '../../schema/values/instant.ts';
import type { Problem } from '../../schema/values/problem.ts';
import { decodedText } from './decoded-text.ts';
import { eventProblem } from './event-problem.ts';
import { TIMESTAMP } from './scan/fields.ts';
import {
  EVENT_FLAGS,
  EVENT_PROBLEM,
  EVENT_TEXT,
  HAS_UNUSUAL_TIME,
  IS_IDENTIFY,
  KEEPS_TIME_TEXT,
  MESSAGE_ID_PRINT,
  RECORD_WORDS,
  TIMESTAMP_MS,
} from './scan/layout.ts';
import { INVALID_TIME, NOTHING } from './scan/problems.ts';

export class BatchEvents {
  readonly bytes: Buffer;
  readonly count: number;
  /** Those of `count` events, and room for more. */
  readonly records: Int32Array<ArrayBuffer>;
  /** Pairs of offsets of the members without a field of their own. */
  readonly extras: Int32Array;
  private readonly doubles: Float64Array;

  constructor(bytes: Buffer, count: number, records: Int32Array<ArrayBuffer>, extras: Int32Array) {
    this.bytes = bytes;
    this.count = count;
    this.records = records;
    this.extras = extras;
    this.doubles = new Float64Array(records.buffer);
  }

  /** Reads the times that are not in the form nearly all have, which the scanner has left alone. */
  readUnusualTimes(): void {
    for (let event = 0; event < this.count; event++) {
      const at = event * RECORD_WORDS;
      if ((this.records[at + EVENT_FLAGS]! & HAS_UNUSUAL_TIME) === 0) continue;
      const instant = parseInstant(this.text(event, TIMESTAMP)!);
      if (instant === undefined) this.records[at + EVENT_PROBLEM] = INVALID_TIME;
      else {
        this.doubles[(at + TIMESTAMP_MS) / 2] = instant.ms;
        if (!instant.isCanonical) this.records[at + EVENT_FLAGS]! |= KEEPS_TIME_TEXT;
      }
    }
  }

  has(event: number, field: number): boolean {
    return this.start(event, field) !== 0;
  }

  start(event: number, field: number): number {
    return this.records[event * RECORD_WORDS + field * 2]!;
  }

  end(event: number, field: number): number {
    return this.records[event * RECORD_WORDS + field * 2 + 1]!;
  }

  /** A string field's value; undefined when absent. */
  text(event: number, field: number): string | undefined {
    if (!this.has(event, field)) return undefined;
    return decodedText(this.bytes, this.start(event, field), this.end(event, field));
  }

  /** Whether a string field's value is other than its bytes. */
  isEscaped(event: number, field: number): boolean {
    return ((this.records[event * RECORD_WORDS + EVENT_FLAGS]! >> field) & 1) === 1;
  }

  /** Where the event's whole text is. */
  bodyStart(event: number): number {
    return this.records[event * RECORD_WORDS + EVENT_TEXT]!;
  }

  bodyEnd(event: number): number {
    return this.records[event * RECORD_WORDS + EVENT_TEXT + 1]!;
  }

  /** Of an accepted event: the client's time. */
  timestampMs(event: number): number {
    return this.doubles[(event * RECORD_WORDS + TIMESTAMP_MS) / 2]!;
  }

  isRefused(event: number): boolean {
    return this.records[event * RECORD_WORDS + EVENT_PROBLEM] !== NOTHING;
  }

  /** Of an accepted event. */
  isIdentify(event: number): boolean {
    return (this.records[event * RECORD_WORDS + EVENT_FLAGS]! & IS_IDENTIFY) !== 0;
  }

  /** The first thing that is wrong with it. */
  problem(event: number): Problem | undefined {
    const found = this.records[event * RECORD_WORDS + EVENT_PROBLEM]!;
    return found === NOTHING ? undefined : eventProblem(found & 0xff, found >> 8);
  }

  /** One of the four words of the hash of an accepted event's message id. */
  messageIdPrint(event: number, word: number): number {
    return this.records[event * RECORD_WORDS + MESSAGE_ID_PRINT + word]!;
  }
}
