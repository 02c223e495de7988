// Writes the rows of a batch into the spool, already in ClickHouse's format: accepted events as
// events_raw, refused ones whole as rejected_events_raw, a frame per table and partition; and what
// identify says about people, for the outbox. Columns come in the order of schema/rows; the last
// two, batch_id and batch_row, are the spool's.

import { EVENTS_RAW, eventPartition } from '../../schema/rows/events-raw.ts';
import { OUTBOX_CONTACT_UPDATES } from '../../schema/rows/outbox-contact-updates.ts';
import { REJECTED_EVENTS_RAW } from '../../schema/rows/rejected-events-raw.ts';
import type { RowWriter } from '../../schema/rows/row-writer.ts';
import { INSTANT_MAX_MS, INSTANT_MIN_MS } from '../../schema/values/instant.ts';
import { CLOCK_SKEW_TOLERATED_MS } from '../limits.ts';
import type { SpoolLog } from '../spool/spool-log.ts';
import {
  ANONYMOUS_ID,
  type BatchEvents,
  CONTEXT,
  EVENT,
  MESSAGE_ID,
  NAME,
  PROPERTIES,
  SESSION_ID,
  STRING_FIELDS,
  TRAITS,
  TYPE,
  USER_ID,
} from './batch-events.ts';
import type { ParsedBatch } from './parse-batch.ts';

/** What all rows of a batch share. */
export type BatchFacts = {
  readonly endpoint: string;
  readonly workspaceIdBytes: Uint8Array;
  readonly propertyIdBytes: Uint8Array;
  readonly keyIdBytes: Uint8Array;
  readonly receivedAtMs: number;
  readonly sentAtMs: number;
  /** sentAt as sent where it was not in the canonical form, else ''. */
  readonly sentAtText: string;
};

export type BatchSelection = {
  /** 1 for an event that is not stored again. */
  readonly isDuplicate: Uint8Array;
  /** Whether refused events go to `rejected_events_raw`, or nowhere. */
  readonly keepsRefused: boolean;
};

/** An event goes to `events_raw` unless it was refused or is a duplicate. */
export function encodeBatch(
  log: SpoolLog,
  batch: ParsedBatch,
  facts: BatchFacts,
  { isDuplicate, keepsRefused }: BatchSelection,
): void {
  const { events } = batch;
  const refused: number[] = [];
  const byPartition = new Map<number, number[]>();
  for (let event = 0; event < events.count; event++) {
    if (events.problem(event) !== undefined) refused.push(event);
    else if (isDuplicate[event] === 0) {
      const partition = eventPartition(events.timestampsMs[event]!);
      const group = byPartition.get(partition);
      if (group === undefined) byPartition.set(partition, [event]);
      else group.push(event);
    }
  }
  for (const [partition, accepted] of byPartition)
    log.append(EVENTS_RAW, partition, accepted, (writer, event) => {
      encodeEvent(writer, batch, event, facts);
    });
  if (keepsRefused && refused.length > 0)
    log.append(REJECTED_EVENTS_RAW, 0, refused, (writer, event) => {
      encodeRefused(writer, batch, event, facts);
    });
  if (events.identifies.length > 0) encodeContacts(log, events, facts, isDuplicate);
}

function encodeContacts(
  log: SpoolLog,
  events: BatchEvents,
  facts: BatchFacts,
  isDuplicate: Uint8Array,
): void {
  const told = events.identifies.filter(
    event =>
      events.problem(event) === undefined &&
      isDuplicate[event] === 0 &&
      events.end(event, USER_ID) > events.start(event, USER_ID),
  );
  if (told.length === 0) return;
  log.append(OUTBOX_CONTACT_UPDATES, 0, told, (writer, event) => {
    writer.uuid(facts.workspaceIdBytes);
    field(writer, events, event, USER_ID);
    field(writer, events, event, ANONYMOUS_ID);
    if (events.has(event, TRAITS)) field(writer, events, event, TRAITS);
    else writer.slice(NO_TRAITS, 0, NO_TRAITS.length);
    // Nothing has been said later than now, or a wrong date would outdo all that is said after it.
    const saidMs = correctedMs(events.timestampsMs[event]!, facts);
    writer.instantMs(Math.min(saidMs, facts.receivedAtMs));
  });
}

const NO_TRAITS = Buffer.from('{}');

function encodeEvent(
  writer: RowWriter,
  batch: ParsedBatch,
  event: number,
  facts: BatchFacts,
): void {
  const { events } = batch;
  const timestampMs = events.timestampsMs[event]!;
  tenant(writer, facts);
  field(writer, events, event, TYPE);
  field(writer, events, event, EVENT);
  field(writer, events, event, NAME);
  field(writer, events, event, MESSAGE_ID);
  writer.instantMs(timestampMs);
  writer.text(events.timestampTexts[event]!);
  writer.instantMs(facts.sentAtMs);
  writer.text(facts.sentAtText);
  writer.instantMs(facts.receivedAtMs);
  writer.instantMs(correctedMs(timestampMs, facts));
  field(writer, events, event, ANONYMOUS_ID);
  field(writer, events, event, USER_ID);
  field(writer, events, event, SESSION_ID);
  field(writer, events, event, PROPERTIES);
  field(writer, events, event, TRAITS);
  field(writer, events, event, CONTEXT);
  const extra = events.extra(event);
  if (extra.length === 0) writer.emptyText();
  else writer.object(batch.bytes, extra);
  batchContext(writer, batch);
  if (batch.extra.length === 0) writer.emptyText();
  else writer.object(batch.bytes, batch.extra);
}

function field(writer: RowWriter, events: BatchEvents, event: number, number: number): void {
  if (!events.has(event, number)) {
    writer.emptyText();
    return;
  }
  const decoded = number < STRING_FIELDS ? events.decodedText(event, number) : undefined;
  if (decoded === undefined)
    writer.slice(events.bytes, events.start(event, number), events.end(event, number));
  else writer.text(decoded);
}

function batchContext(writer: RowWriter, batch: ParsedBatch): void {
  if (batch.context === undefined) writer.emptyText();
  else writer.slice(batch.bytes, batch.context.start, batch.context.end);
}

/** The event's time by our clock, where the client's is evidently wrong (design: 5 minutes). */
function correctedMs(timestampMs: number, facts: BatchFacts): number {
  const skewMs = facts.receivedAtMs - facts.sentAtMs;
  if (Math.abs(skewMs) <= CLOCK_SKEW_TOLERATED_MS) return timestampMs;
  return Math.min(Math.max(timestampMs + skewMs, INSTANT_MIN_MS), INSTANT_MAX_MS);
}

function encodeRefused(
  writer: RowWriter,
  batch: ParsedBatch,
  event: number,
  facts: BatchFacts,
): void {
  const { events } = batch;
  const { code, message } = events.problem(event)!;
  tenant(writer, facts);
  writer.text(facts.endpoint);
  writer.text(code);
  writer.text(message);
  writer.text(events.text(event, MESSAGE_ID)?.toWellFormed() ?? '');
  writer.uint16(event);
  writer.slice(batch.bytes, events.bodyStart(event), events.bodyEnd(event));
  writer.text(batch.sentAt ?? '');
  batchContext(writer, batch);
  writer.instantMs(facts.receivedAtMs);
}

function tenant(writer: RowWriter, facts: BatchFacts): void {
  writer.uuid(facts.workspaceIdBytes);
  writer.uuid(facts.propertyIdBytes);
  writer.uuid(facts.keyIdBytes);
}
