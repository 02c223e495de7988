// The events of one batch as offsets into its body, taken from the scanner's records
// (scan/layout.ts). A node reads hundreds of thousands of events per second, so no object is
// created per event.

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
  /** The records of `count` events, in an array that may be larger. */
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

  /** Parses timestamps that are not in the common form. The scanner leaves them to this method. */
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

  /** The value of a string field; undefined if absent. */
  text(event: number, field: number): string | undefined {
    if (!this.has(event, field)) return undefined;
    return decodedText(this.bytes, this.start(event, field), this.end(event, field));
  }

  /** Whether the value of a string field differs from its bytes because of escapes. */
  isEscaped(event: number, field: number): boolean {
    return ((this.records[event * RECORD_WORDS + EVENT_FLAGS]! >> field) & 1) === 1;
  }

  /** The offsets of the whole event text. */
  bodyStart(event: number): number {
    return this.records[event * RECORD_WORDS + EVENT_TEXT]!;
  }

  bodyEnd(event: number): number {
    return this.records[event * RECORD_WORDS + EVENT_TEXT + 1]!;
  }

  /** The client's timestamp of an accepted event. */
  timestampMs(event: number): number {
    return this.doubles[(event * RECORD_WORDS + TIMESTAMP_MS) / 2]!;
  }

  isRefused(event: number): boolean {
    return this.records[event * RECORD_WORDS + EVENT_PROBLEM] !== NOTHING;
  }

  /** Accepted events only. */
  isIdentify(event: number): boolean {
    return (this.records[event * RECORD_WORDS + EVENT_FLAGS]! & IS_IDENTIFY) !== 0;
  }

  /** The first problem of the event. */
  problem(event: number): Problem | undefined {
    const found = this.records[event * RECORD_WORDS + EVENT_PROBLEM]!;
    return found === NOTHING ? undefined : eventProblem(found & 0xff, found >> 8);
  }

  /** One of the four words of the message ID hash of an accepted event. */
  messageIdPrint(event: number, word: number): number {
    return this.records[event * RECORD_WORDS + MESSAGE_ID_PRINT + word]!;
  }
}
