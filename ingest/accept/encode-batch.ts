// Writes the rows of a batch into the spool in ClickHouse's format: accepted events as events_raw,
// rejected events whole as rejected_events_raw, one frame per table and partition, and the contact
// changes of identify events for the outbox. Columns are in the order of schema/rows; the spool
// appends the last two, batch_id and batch_row.

import { EVENTS_RAW, eventPartition } from '../../schema/rows/events-raw.ts';
import { OUTBOX_CONTACT_UPDATES } from '../../schema/rows/outbox-contact-updates.ts';
import { REJECTED_EVENTS_RAW } from '../../schema/rows/rejected-events-raw.ts';
import type { RowWriter } from '../../schema/rows/row-writer.ts';
import type { BatchEvents } from './batch-events.ts';
import { type BatchFacts, correctedMs } from './batch-facts.ts';
import { encodeEventRows } from './encode-event-rows.ts';
import type { EventLog } from './event-log.ts';
import type { ParsedBatch } from './parse-batch.ts';
import { ANONYMOUS_ID, MESSAGE_ID, TRAITS, USER_ID } from './scan/fields.ts';

type BatchSelection = {
  /** 1 for an event that is not stored again. */
  readonly isDuplicate: Uint8Array;
  /** Whether rejected events are written to `rejected_events_raw`. */
  readonly keepsRefused: boolean;
};

/** Events that were not rejected and are not duplicates go to `events_raw`. */
export function encodeBatch(
  log: EventLog,
  batch: ParsedBatch,
  facts: BatchFacts,
  { isDuplicate, keepsRefused }: BatchSelection,
): void {
  const { events } = batch;
  const refused: number[] = [];
  const byPartition = new Map<number, number[]>();
  for (let event = 0; event < events.count; event++) {
    if (events.isRefused(event)) refused.push(event);
    else if (isDuplicate[event] === 0) {
      const partition = eventPartition(events.timestampMs(event), facts.receivedAtMs);
      const group = byPartition.get(partition);
      if (group === undefined) byPartition.set(partition, [event]);
      else group.push(event);
    }
  }
  for (const [partition, accepted] of byPartition) {
    const { length } = accepted;
    log.appendRows(EVENTS_RAW, partition, length, (writer, segmentIdBytes, firstRow) => {
      encodeEventRows(writer, batch, accepted, facts, { segmentIdBytes, firstRow });
    });
  }
  if (keepsRefused && refused.length > 0)
    log.append(REJECTED_EVENTS_RAW, 0, refused, (writer, event) => {
      encodeRefused(writer, batch, event, facts);
    });
  if (batch.hasIdentifies) encodeContacts(log, events, facts, isDuplicate);
}

function encodeContacts(
  log: EventLog,
  events: BatchEvents,
  facts: BatchFacts,
  isDuplicate: Uint8Array,
): void {
  const told: number[] = [];
  for (let event = 0; event < events.count; event++) {
    if (events.isRefused(event) || !events.isIdentify(event) || isDuplicate[event] === 1) continue;
    if (events.end(event, USER_ID) > events.start(event, USER_ID)) told.push(event);
  }
  if (told.length === 0) return;
  log.append(OUTBOX_CONTACT_UPDATES, 0, told, (writer, event) => {
    writer.uuid(facts.workspaceIdBytes);
    text(writer, events, event, USER_ID);
    text(writer, events, event, ANONYMOUS_ID);
    if (events.has(event, TRAITS))
      writer.slice(events.bytes, events.start(event, TRAITS), events.end(event, TRAITS));
    else writer.slice(NO_TRAITS, 0, NO_TRAITS.length);
    // Capped at the time of receipt, because a timestamp in the future would override all later
    // changes.
    const saidMs = correctedMs(events.timestampMs(event), facts);
    writer.instantMs(Math.min(saidMs, facts.receivedAtMs));
  });
}

const NO_TRAITS = Buffer.from('{}');

function text(writer: RowWriter, events: BatchEvents, event: number, field: number): void {
  if (events.isEscaped(event, field)) writer.text(events.text(event, field)!);
  else writer.slice(events.bytes, events.start(event, field), events.end(event, field));
}

function encodeRefused(
  writer: RowWriter,
  batch: ParsedBatch,
  event: number,
  facts: BatchFacts,
): void {
  const { events, context } = batch;
  const { code, message } = events.problem(event)!;
  writer.uuid(facts.workspaceIdBytes);
  writer.uuid(facts.propertyIdBytes);
  writer.uuid(facts.keyIdBytes);
  writer.text(facts.endpoint);
  writer.text(code);
  writer.text(message);
  writer.text(events.text(event, MESSAGE_ID)?.toWellFormed() ?? '');
  writer.uint16(event);
  writer.slice(batch.bytes, events.bodyStart(event), events.bodyEnd(event));
  writer.text(batch.sentAt ?? '');
  if (context === undefined) writer.emptyText();
  else writer.slice(batch.bytes, context.start, context.end);
  writer.instantMs(facts.receivedAtMs);
}
