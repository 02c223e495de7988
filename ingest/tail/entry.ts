// The entries of the live view, built from the event or report as sent. Only samples are processed.

import type { Problem } from '../../schema/values/problem.ts';
import type { TailEntry, TailRefusal } from '../../schema/values/tail.ts';
import type { BatchEvents } from '../accept/batch-events.ts';
import type { ParsedObject } from '../accept/parse-object.ts';
import { ANONYMOUS_ID, EVENT, MESSAGE_ID, NAME, TYPE, USER_ID } from '../accept/scan/fields.ts';
import { TAIL_ENTRY_BYTES_MAX, TAIL_FIELD_CHARACTERS_MAX } from './tail-limits.ts';

/** The sender, and the time of receipt. */
export type TailSender = Pick<TailEntry, 'endpoint' | 'keyId' | 'receivedAtMs'>;

export function entryOfEvent(events: BatchEvents, event: number, sender: TailSender): TailEntry {
  const field = (number: number) => shown(events.text(event, number));
  const [start, end] = [events.bodyStart(event), events.bodyEnd(event)];
  return {
    ...sender,
    type: field(TYPE),
    name: field(EVENT) || field(NAME),
    messageId: field(MESSAGE_ID),
    userId: field(USER_ID),
    anonymousId: field(ANONYMOUS_ID),
    text: textOf(events.bytes, start, end),
    textBytes: end - start,
    refusal: refusalOf(events.problem(event)),
    index: event,
  };
}

/** For an endpoint that accepts one report per request. */
export function entryOfReport(
  { value, bytes }: ParsedObject,
  sender: TailSender,
  problem: Problem | undefined,
): TailEntry {
  const field = (...names: string[]) =>
    names.map(name => shown(value[name])).find(text => text !== '') ?? '';
  return {
    ...sender,
    type: field('event_type', 'response_type'),
    name: field('campaign_id'),
    messageId: field('message_id', 'idempotency_key'),
    userId: field('user_id', 'contact_id'),
    anonymousId: field('anonymous_id'),
    text: textOf(bytes, 0, bytes.length),
    textBytes: bytes.length,
    refusal: refusalOf(problem),
    index: 0,
  };
}

/** A rejected event may have any value in this field. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value.slice(0, TAIL_FIELD_CHARACTERS_MAX).toWellFormed();
}

function refusalOf(problem: Problem | undefined): TailRefusal | undefined {
  return problem && { code: problem.code, message: problem.message };
}

/** Truncates between two characters. */
function textOf(bytes: Buffer, start: number, end: number): string {
  let cut = Math.min(end, start + TAIL_ENTRY_BYTES_MAX);
  while (cut < end && isWithinCharacter(bytes[cut]!)) cut--;
  return bytes.toString('utf8', start, cut);
}

function isWithinCharacter(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
