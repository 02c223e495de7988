// The events of one batch as offsets into its body: flat arrays of small integers, since a node
// reads hundreds of thousands of events a second and builds no object for any of them.

import type { Problem } from '../../schema/values/problem.ts';
import { decodeSlice } from './string-value.ts';

/** The fields the spec names, in the order of their numbers; the first eight are strings. */
export const FIELD_NAMES = [
  'type',
  'event',
  'name',
  'messageId',
  'timestamp',
  'anonymousId',
  'userId',
  'sessionId',
  'properties',
  'traits',
  'context',
] as const;

export const TYPE = 0;
export const EVENT = 1;
export const NAME = 2;
export const MESSAGE_ID = 3;
export const TIMESTAMP = 4;
export const ANONYMOUS_ID = 5;
export const USER_ID = 6;
export const SESSION_ID = 7;
export const PROPERTIES = 8;
export const TRAITS = 9;
export const CONTEXT = 10;
export const STRING_FIELDS = 8;
export const FIELDS = FIELD_NAMES.length;

const ABSENT = -1;

export class BatchEvents {
  readonly bytes: Buffer;
  count = 0;
  /** Start and end of each field of each event; absent ones are -1. */
  private spans: number[] = [];
  /** Start and end of each event's whole text. */
  private bodies: number[] = [];
  /** Strings with escapes, decoded; by event and field. Rare, hence apart. */
  private decoded = new Map<number, string>();
  private extras = new Map<number, number[]>();
  private problems: (Problem | undefined)[] = [];
  /** Of accepted events: the client's time. */
  readonly timestampsMs: number[] = [];
  /** Of accepted events: timestamp as sent where it was not in the canonical form, else ''. */
  readonly timestampTexts: string[] = [];
  /** The events that are of the type identify, refused ones among them; mostly there is none. */
  readonly identifies: number[] = [];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  clear(): void {
    this.count = 0;
    this.spans = [];
    this.bodies = [];
    this.decoded.clear();
    this.extras.clear();
    this.problems = [];
    this.timestampsMs.length = 0;
    this.timestampTexts.length = 0;
    this.identifies.length = 0;
  }

  /** Makes room for an event that begins at `start`; returns its index. */
  begin(start: number): number {
    for (let i = 0; i < FIELDS * 2; i++) this.spans.push(ABSENT);
    this.bodies.push(start, start);
    this.problems.push(undefined);
    this.timestampsMs.push(0);
    this.timestampTexts.push('');
    return this.count++;
  }

  finish(event: number, end: number): void {
    this.bodies[event * 2 + 1] = end;
  }

  setSpan(event: number, field: number, start: number, end: number): void {
    const at = (event * FIELDS + field) * 2;
    this.spans[at] = start;
    this.spans[at + 1] = end;
    if (this.decoded.size > 0) this.decoded.delete(event * FIELDS + field);
  }

  setAbsent(event: number, field: number): void {
    this.setSpan(event, field, ABSENT, ABSENT);
  }

  setDecoded(event: number, field: number, value: string): void {
    this.decoded.set(event * FIELDS + field, value);
  }

  addExtra(event: number, start: number, end: number): void {
    const spans = this.extras.get(event);
    if (spans === undefined) this.extras.set(event, [start, end]);
    else spans.push(start, end);
  }

  has(event: number, field: number): boolean {
    return this.spans[(event * FIELDS + field) * 2]! !== ABSENT;
  }

  start(event: number, field: number): number {
    return this.spans[(event * FIELDS + field) * 2]!;
  }

  end(event: number, field: number): number {
    return this.spans[(event * FIELDS + field) * 2 + 1]!;
  }

  /** The decoded string, where the field had escapes. */
  decodedText(event: number, field: number): string | undefined {
    return this.decoded.size === 0 ? undefined : this.decoded.get(event * FIELDS + field);
  }

  /** A string field's value; undefined when absent. */
  text(event: number, field: number): string | undefined {
    if (!this.has(event, field)) return undefined;
    const decoded = this.decodedText(event, field);
    return (
      decoded ?? decodeSlice(this.bytes, this.start(event, field), this.end(event, field), false)
    );
  }

  /** Pairs of offsets of the members without a field of their own. */
  extra(event: number): readonly number[] {
    return this.extras.get(event) ?? [];
  }

  bodyStart(event: number): number {
    return this.bodies[event * 2]!;
  }

  bodyEnd(event: number): number {
    return this.bodies[event * 2 + 1]!;
  }

  problem(event: number): Problem | undefined {
    return this.problems[event];
  }

  /** The first problem of an event is the one reported. */
  refuse(event: number, problem: Problem): void {
    this.problems[event] ??= problem;
  }
}
