// Stores a row that ClickHouse permanently rejects in rejected_events, whole, so that an operator
// can see and replay it. If that is rejected too, the row's bytes are written to the quarantine
// folder, and the rest of the log continues.

import { join } from 'node:path';
import { REJECTED_EVENTS_RAW } from '../../schema/rows/rejected-events-raw.ts';
import { RowWriter } from '../../schema/rows/row-writer.ts';
import { derivedUuid } from '../../schema/values/derived-uuid.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import type { FileSystem } from '../spool/file-system.ts';
import { readRow } from '../spool/split-rows.ts';
import { type Block, blockName, blockOfRows } from './block.ts';
import { loadRows } from './block-body.ts';
import { type InsertBlockDeps, insertBlock } from './insert-block.ts';
import { Stopped } from './stopped.ts';

const NO_UUID = '00000000-0000-0000-0000-000000000000';
/** ClickHouse repeats parts of the data in its messages, and the row itself is stored as well. */
const REASON_CHARACTERS_MAX = 1_000;
const INITIAL_BYTES = 4 * 1024;

export type ParkDeps = {
  /** Stores a row that rejected_events also rejects. */
  readonly quarantine: (block: Block) => Promise<void>;
  readonly onParked: (block: Block) => void;
};

/** Resolves when the row is in rejected_events or quarantined. */
export async function parkRefused(
  insertDeps: InsertBlockDeps,
  { quarantine, onParked }: ParkDeps,
  refused: Block,
  reason: string,
): Promise<void> {
  const parked = await parkedBlock(refused, reason, insertDeps.clock.nowMs());
  let isParked = true;
  const park = async () => {
    isParked = false;
    await quarantine(refused);
  };
  const isKept = await insertBlock({ ...insertDeps, park }, parked, 'maybe tried');
  if (!isKept) throw new Stopped('Stopped before a rejected row was stored.');
  if (isParked) onParked(refused);
}

/** The rejected row as a block of rejected_events. The block is the same on every attempt. */
export async function parkedBlock(refused: Block, reason: string, nowMs: number): Promise<Block> {
  const row = readRow(await onlyRow(refused), refused.table.columns);
  const id = derivedUuid(blockName(refused));
  const uuid = (name: string) => uuidToRowBinary(String(row[name] ?? NO_UUID));
  const text = (name: string) => String(row[name] ?? '');
  const writer = new RowWriter(INITIAL_BYTES);
  writer.uuid(uuid('workspace_id'));
  writer.uuid(uuid('property_id'));
  writer.uuid(uuid('sdk_key_id'));
  writer.text(refused.table.name);
  writer.text('WAREHOUSE_REFUSED');
  writer.text(reason.slice(0, REASON_CHARACTERS_MAX).toWellFormed());
  writer.text(text('message_id'));
  writer.uint16(0);
  writer.text(JSON.stringify(row));
  writer.text(text('sent_at_text') || text('sent_at'));
  writer.text(text('batch_context'));
  writer.instantMs(Date.parse(text('received_at')) || nowMs);
  writer.uuid(uuidToRowBinary(id));
  writer.uint32(0);
  const parked = Buffer.from(writer.written());
  const identity = {
    groupId: id,
    segmentIds: [id],
    table: REJECTED_EVENTS_RAW,
    // The connection is that of the refused row's shard. Its name is in the row, so no other shard has a copy.
    shard: refused.shard,
    partition: 0,
    firstRow: 0,
    lastRow: 0,
  };
  return blockOfRows(identity, [parked]);
}

async function onlyRow(refused: Block): Promise<Uint8Array> {
  const [row] = await loadRows(refused);
  return row!;
}

export async function quarantineRow(
  fs: FileSystem,
  directory: string,
  refused: Block,
): Promise<string> {
  const folder = join(directory, 'quarantine');
  await fs.makeDirectory(folder);
  const path = join(folder, `${blockName(refused)}.row`);
  const row = await onlyRow(refused);
  const file = await fs.overwrite(path);
  try {
    await file.write(row, 0);
    await file.datasync();
  } finally {
    await file.close();
  }
  await fs.syncDirectory(folder);
  return path;
}
