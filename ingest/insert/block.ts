// A block is what one INSERT carries: all rows of a segment for one table of the warehouse and one
// partition, in the order they were appended. Cutting is a pure function of the segment's bytes, so every try, in
// this process or the next, sends the same rows in the same order under the same token. One
// partition and fewer rows than ClickHouse's block make it one part: committed whole or not at all.

import { createHash } from 'node:crypto';
import type { Frame } from '../spool/frame.ts';
import type { SegmentContents } from '../spool/read-segment.ts';
import type { SegmentTable } from '../spool/segment-header.ts';

export type Block = {
  readonly segmentId: string;
  readonly table: SegmentTable;
  readonly partition: number;
  /** Row numbers within the segment's rows of the table; other partitions' rows may lie between. */
  readonly firstRow: number;
  readonly lastRow: number;
  readonly rows: number;
  readonly body: BlockBody;
  /** Identity and content in one; ClickHouse drops a second insert with the same token. */
  readonly token: string;
};

/** The rows: on disk until they are sent, or, where a refused block was taken apart, in memory. */
export type BlockBody =
  | { readonly frames: readonly Frame[]; readonly source: PayloadSource }
  | { readonly rows: readonly Uint8Array[] };

export type PayloadSource = Pick<SegmentContents, 'payloadsOf'>;

export function cutBlocks(contents: SegmentContents): Block[] {
  const { header } = contents;
  const tables = new Map(header.tables.map(table => [table.id, table]));
  const groups = new Map<string, Frame[]>();
  for (const frame of contents.frames) {
    if (tables.get(frame.tableId)?.destination === 'outbox') continue;
    const key = `${frame.tableId}/${frame.partition}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [frame]);
    else group.push(frame);
  }
  return [...groups.values()].map(frames => {
    const table = tables.get(frames[0]!.tableId);
    if (table === undefined)
      throw new Error(
        `Segment ${header.id} has rows of table ${frames[0]!.tableId}, which its header does not name.`,
      );
    return blockOfFrames({ segmentId: header.id, table }, frames, contents);
  });
}

/** The frames are of that table and of one partition. */
export function blockOfFrames(
  { segmentId, table }: Pick<Block, 'segmentId' | 'table'>,
  frames: readonly Frame[],
  source: PayloadSource,
): Block {
  const first = frames[0]!;
  const last = frames.at(-1)!;
  const identity = {
    segmentId,
    table,
    partition: first.partition,
    firstRow: first.firstRow,
    lastRow: last.firstRow + last.rows - 1,
  };
  const content = createHash('sha256');
  for (const frame of frames) content.update(`${frame.firstRow}+${frame.rows}:${frame.checksum};`);
  return {
    ...identity,
    rows: frames.reduce((sum, frame) => sum + frame.rows, 0),
    body: { frames, source },
    token: tokenOf(identity, content.digest('hex')),
  };
}

type BlockIdentity = Pick<Block, 'segmentId' | 'table' | 'partition' | 'firstRow' | 'lastRow'>;

/** Of rows in memory. */
export function blockOfRows(identity: BlockIdentity, rows: readonly Uint8Array[]): Block {
  const content = createHash('sha256');
  for (const row of rows) content.update(row);
  const token = tokenOf(identity, content.digest('hex'));
  return { ...identity, rows: rows.length, body: { rows }, token };
}

const CONTENT_HASH_DIGITS = 32;

function tokenOf(block: BlockIdentity, contentHash: string): string {
  const hash = contentHash.slice(0, CONTENT_HASH_DIGITS);
  return `${blockName(block)}-${hash}`;
}

/** The block's name in query ids, tokens and logs. */
export function blockName(block: BlockIdentity): string {
  const { segmentId, table, partition, firstRow, lastRow } = block;
  return `${segmentId}-${table.name}-${partition}-${firstRow}-${lastRow}`;
}
