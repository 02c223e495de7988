// Encodes rows of events_raw with the WebAssembly module (scan/rows.ts): passes it the columns
// shared by the batch and copies the encoded rows to the spool at once.

import { RowWriter } from '../../schema/rows/row-writer.ts';
import { INSTANT_MAX_MS, INSTANT_MIN_MS } from '../../schema/values/instant.ts';
import { type BatchFacts, correctionMs } from './batch-facts.ts';
import { bodyScanner } from './body-scanner.ts';
import type { ParsedBatch } from './parse-batch.ts';
import {
  CHOSEN_AT,
  ROW_HEAD_AT,
  ROW_HEAD_BYTES,
  ROW_MIDDLE_AT,
  ROW_MIDDLE_BYTES_MAX,
  ROW_TAIL_AT,
  ROW_TAIL_BYTES_MAX,
  ROWS_AT,
} from './scan/layout.ts';

/** The position of the rows in the spool, which is in the last two columns. */
type RowsPlace = { readonly segmentIdBytes: Uint8Array; readonly firstRow: number };

/** `chosen`: indexes of accepted events. Precondition: `checkEnvelope` returned undefined. */
export function encodeEventRows(
  writer: RowWriter,
  batch: ParsedBatch,
  chosen: readonly number[],
  facts: BatchFacts,
  { segmentIdBytes, firstRow }: RowsPlace,
): void {
  const { bytes, words, exports } = bodyScanner;
  bodyScanner.hold(batch.events);
  words.set(chosen, CHOSEN_AT / 4);
  put(head(facts), ROW_HEAD_AT, ROW_HEAD_BYTES);
  const middleBytes = put(middle(facts), ROW_MIDDLE_AT, ROW_MIDDLE_BYTES_MAX);
  const tailBytes = put(tail(batch, segmentIdBytes), ROW_TAIL_AT, ROW_TAIL_BYTES_MAX);
  exports.shareAmongRows(
    middleBytes,
    tailBytes,
    correctionMs(facts),
    INSTANT_MIN_MS,
    INSTANT_MAX_MS,
  );
  const end = exports.encodeRows(chosen.length, firstRow);
  writer.raw(bytes.subarray(ROWS_AT, end));
}

/** Workspace, property and key. */
function head(facts: BatchFacts): Uint8Array {
  scratch.truncate(0);
  scratch.uuid(facts.workspaceIdBytes);
  scratch.uuid(facts.propertyIdBytes);
  scratch.uuid(facts.keyIdBytes);
  return scratch.written();
}

/** From sent_at to received_at. */
function middle(facts: BatchFacts): Uint8Array {
  scratch.truncate(0);
  scratch.instantMs(facts.sentAtMs);
  scratch.text(facts.sentAtText);
  scratch.instantMs(facts.receivedAtMs);
  return scratch.written();
}

/** From batch_context to batch_id. */
function tail({ bytes, context, extra }: ParsedBatch, segmentIdBytes: Uint8Array): Uint8Array {
  scratch.truncate(0);
  if (context === undefined) scratch.emptyText();
  else scratch.slice(bytes, context.start, context.end);
  if (extra.length === 0) scratch.emptyText();
  else scratch.object(bytes, extra);
  scratch.uuid(segmentIdBytes);
  return scratch.written();
}

const SCRATCH_BYTES = 1024;
const scratch = new RowWriter(SCRATCH_BYTES);

/** Returns the number of bytes. */
function put(columns: Uint8Array, at: number, bytesMax: number): number {
  if (columns.length > bytesMax)
    throw new Error('The shared columns of the batch exceed the space reserved for them.');
  bodyScanner.bytes.set(columns, at);
  return columns.length;
}
