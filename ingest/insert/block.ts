// A block is the data of one INSERT: all rows of a group of segments for one warehouse table and
// one partition, in the order they were appended. A group is one segment, or several neighboring
// segments that are inserted together. Splitting is a pure function of the segments' bytes, so
// every attempt, in this process or the next, sends the same rows in the same order under the same
// token. A block has one partition and fewer rows than ClickHouse's block size, so it becomes one
// part: committed as a whole or not at all.

import { createHash } from 'node:crypto';
import type { Frame } from '../spool/frame.ts';
import type { SegmentContents } from '../spool/read-segment.ts';
import type { SegmentTable } from '../spool/segment-header.ts';

export type Block = {
  /**
   * The ID of the group's first segment. The IDs of all queries with rows of the group start with
   * it.
   */
  readonly groupId: string;
  readonly table: SegmentTable;
  readonly partition: number;
  /** The number of the shard that has the rows, from 0. */
  readonly shard: number;
  /** The segments with rows in the block, in order. */
  readonly segmentIds: readonly string[];
  /**
   * The number of the first row among the first segment's rows of the table. Rows of other
   * partitions may be in between.
   */
  readonly firstRow: number;
  /** The number of the last row among the last segment's rows of the table. */
  readonly lastRow: number;
  readonly rows: number;
  readonly body: BlockBody;
  /** Identifies the block and its content. ClickHouse drops a second insert with the same token. */
  readonly token: string;
};

/** The rows: read from disk when they are sent, or in memory after a rejected block was split. */
export type BlockBody =
  | { readonly shares: readonly Share[] }
  | { readonly rows: readonly Uint8Array[] };

/** The part of a block that comes from one segment. */
export type Share = {
  readonly segmentId: string;
  readonly frames: readonly BlockFrame[];
  readonly source: PayloadSource;
};

/** With some rows of a frame, `lastRow` is the number of the last one. */
export type BlockFrame = Frame & { readonly lastRow?: number };

export type PayloadSource = Pick<SegmentContents, 'payloadsOf'>;

/**
 * The blocks of a group for a single shard; cutIntoShards divides them. Rows with other columns, from
 * another release, are in a block of their own.
 */
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
    blockOfShares({ groupId, table, shard: 0 }, [...shares.values()]),
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

/** Precondition: all frames are of that table and of one partition. */
export function blockOfShares(
  { groupId, table, shard }: Pick<Block, 'groupId' | 'table' | 'shard'>,
  shares: readonly Share[],
): Block {
  const frames = shares.flatMap(share => share.frames);
  const first = frames[0]!;
  const last = frames.at(-1)!;
  const identity = {
    groupId,
    table,
    shard,
    partition: first.partition,
    segmentIds: shares.map(share => share.segmentId),
    firstRow: first.firstRow,
    lastRow: last.lastRow ?? last.firstRow + last.rows - 1,
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
  'groupId' | 'table' | 'shard' | 'partition' | 'segmentIds' | 'firstRow' | 'lastRow'
>;

/** For rows in memory. */
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

/** The block's name in tokens and logs. The name of a single row does not depend on its group. */
export function blockName(block: BlockIdentity): string {
  const { segmentIds, table, partition, firstRow, lastRow } = block;
  const others = segmentIds.length === 1 ? '' : `-and-${segmentIds.length - 1}-more`;
  return `${segmentIds[0]}-${table.name}-${partition}-${firstRow}-${lastRow}${others}`;
}

/**
 * The prefix of the IDs of all queries with rows of the block, whether the whole block or a part of
 * it.
 */
export function queryPrefix({ groupId, table, partition }: BlockIdentity): string {
  return `${groupId}-${table.name}-${partition}-`;
}
