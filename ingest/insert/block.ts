// A block is what one INSERT carries: all rows of a group of segments for one table of the warehouse
// and one partition, in the order they were appended. A group is neighbouring segments that go in
// together, mostly a single one. Cutting is a pure function of the segments' bytes, so every try, in
// this process or the next, sends the same rows in the same order under the same token. One
// partition and fewer rows than ClickHouse's block make it one part: committed whole or not at all.

import { createHash } from 'node:crypto';
import type { Frame } from '../spool/frame.ts';
import type { SegmentContents } from '../spool/read-segment.ts';
import type { SegmentTable } from '../spool/segment-header.ts';

export type Block = {
  /** Of the group's first segment. The ids of all queries that carry the group's rows begin with it. */
  readonly groupId: string;
  readonly table: SegmentTable;
  readonly partition: number;
  /** Those with rows in the block, in their order. */
  readonly segmentIds: readonly string[];
  /** The number of the first row, within the first segment's rows of the table. Rows of other
   * partitions may lie between. */
  readonly firstRow: number;
  /** The number of the last row, within the last segment's rows of the table. */
  readonly lastRow: number;
  readonly rows: number;
  readonly body: BlockBody;
  /** Identity and content in one; ClickHouse drops a second insert with the same token. */
  readonly token: string;
};

/** The rows: on disk until they are sent, or, where a refused block was taken apart, in memory. */
export type BlockBody =
  | { readonly shares: readonly Share[] }
  | { readonly rows: readonly Uint8Array[] };

/** What one segment has of a block. */
export type Share = {
  readonly segmentId: string;
  readonly frames: readonly Frame[];
  readonly source: PayloadSource;
};

export type PayloadSource = Pick<SegmentContents, 'payloadsOf'>;

/** The blocks of a group. Rows with other columns, of another release, are in a block of their own. */
export function cutBlocks(
  group: readonly SegmentContents[],
  groupId = group[0]?.header.id ?? '',
): Block[] {
  const blocks = new Map<string, { table: SegmentTable; shares: Map<string, Share> }>();
  for (const contents of group) {
    for (const { key, table, frame } of framesForWarehouse(contents)) {
      const block = blocks.get(key) ?? { table, shares: new Map<string, Share>() };
      blocks.set(key, block);
      addFrame(block.shares, contents, frame);
    }
  }
  return [...blocks.values()].map(({ table, shares }) =>
    blockOfShares({ groupId, table }, [...shares.values()]),
  );
}

function* framesForWarehouse({ header, frames }: SegmentContents) {
  const tables = new Map(header.tables.map(table => [table.id, table]));
  const shapes = new Map<SegmentTable, string>();
  for (const frame of frames) {
    const table = tables.get(frame.tableId);
    if (table === undefined)
      throw new Error(
        `Segment ${header.id} has rows of table ${frame.tableId}, which is missing from its header.`,
      );
    if (table.destination === 'outbox') continue;
    const shape = shapes.get(table) ?? JSON.stringify(table);
    shapes.set(table, shape);
    yield { key: `${frame.partition}/${shape}`, table, frame };
  }
}

function addFrame(shares: Map<string, Share>, contents: SegmentContents, frame: Frame): void {
  const segmentId = contents.header.id;
  const share = shares.get(segmentId) as { frames: Frame[] } | undefined;
  if (share === undefined) shares.set(segmentId, { segmentId, frames: [frame], source: contents });
  else share.frames.push(frame);
}

/** The frames are of that table and of one partition. */
export function blockOfShares(
  { groupId, table }: Pick<Block, 'groupId' | 'table'>,
  shares: readonly Share[],
): Block {
  const frames = shares.flatMap(share => share.frames);
  const first = frames[0]!;
  const last = frames.at(-1)!;
  const identity = {
    groupId,
    table,
    partition: first.partition,
    segmentIds: shares.map(share => share.segmentId),
    firstRow: first.firstRow,
    lastRow: last.firstRow + last.rows - 1,
  };
  const content = createHash('sha256');
  for (const frame of frames) content.update(`${frame.firstRow}+${frame.rows}:${frame.checksum};`);
  return {
    ...identity,
    rows: frames.reduce((sum, frame) => sum + frame.rows, 0),
    body: { shares },
    token: tokenOf(identity, content.digest('hex')),
  };
}

type BlockIdentity = Pick<
  Block,
  'groupId' | 'table' | 'partition' | 'segmentIds' | 'firstRow' | 'lastRow'
>;

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

/** The block's name in tokens and logs. That of a single row is the same in whatever group it is. */
export function blockName(block: BlockIdentity): string {
  const { segmentIds, table, partition, firstRow, lastRow } = block;
  const others = segmentIds.length === 1 ? '' : `-and-${segmentIds.length - 1}-more`;
  return `${segmentIds[0]}-${table.name}-${partition}-${firstRow}-${lastRow}${others}`;
}

/** What the ids of all queries begin with that carry rows of the block, be it whole or in parts. */
export function queryPrefix({ groupId, table, partition }: BlockIdentity): string {
  return `${groupId}-${table.name}-${partition}-`;
}
