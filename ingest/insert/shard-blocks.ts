// Divides blocks by shard. All copies of an event have the same key (schema/rows/shard-keys.ts), so they are
// in the same shard, and no query has to compare shards. Like the blocks themselves, the division is a pure function
// of the segments' bytes and of the number of shards. With one shard, a block stays as it is.

import type { Frame } from '../spool/frame.ts';
import { splitRows } from '../spool/split-rows.ts';
import {
  type Block,
  type BlockFrame,
  blockOfShares,
  type PayloadSource,
  type Share,
} from './block.ts';
import type { InsertBlockDeps } from './insert-block.ts';
import { shardRule } from './shard-of-row.ts';

/** Each block of each shard, with the connection that inserts it there. */
export async function* shardBlocks<Deps extends Pick<InsertBlockDeps, 'clickhouse'>>(
  deps: Deps,
  blocks: readonly Block[],
): AsyncGenerator<{ readonly block: Block; readonly shardDeps: Deps }> {
  const { shards = [] } = deps.clickhouse;
  for (const whole of blocks)
    for (const block of await cutIntoShards(whole, Math.max(1, shards.length)))
      yield { block, shardDeps: onShard(deps, block) };
}

/** With the connection of the block's shard. */
export function onShard<Deps extends Pick<InsertBlockDeps, 'clickhouse'>>(
  deps: Deps,
  { shard }: Pick<Block, 'shard'>,
): Deps {
  return { ...deps, clickhouse: deps.clickhouse.shards?.[shard] ?? deps.clickhouse };
}

/** Precondition: the rows of the block are on disk. */
export async function cutIntoShards(block: Block, shards: number): Promise<readonly Block[]> {
  const { body, groupId, table } = block;
  if (shards === 1) return [block];
  if (!('shares' in body)) throw new Error('Only blocks of segments can be divided.');
  const shardOf = shardRule(table, shards);
  const parts = Array.from({ length: shards }, (): Share[] => []);
  for (const share of body.shares) {
    const frames = parts.map((): PartialFrame[] => []);
    for await (const { frame, payload } of wholeFrames(share.source, share.frames))
      for (const part of divide(frame, splitRows([payload], table.columns), shardOf))
        frames[part.shard]!.push(part);
    for (const [shard, of] of frames.entries())
      if (of.length > 0)
        parts[shard]!.push({ ...share, frames: of, source: partialSource(share.source) });
  }
  return parts.flatMap((shares, shard) =>
    shares.length === 0 ? [] : [blockOfShares({ groupId, table, shard }, shares)],
  );
}

/** Some rows of a frame. From `payloadStart` to `end` it is as long as these rows. */
type PartialFrame = BlockFrame & {
  readonly shard: number;
  readonly whole: Frame;
  /** Start and end of each row within the payload of the whole frame. */
  readonly ranges: readonly number[];
};

function divide(
  whole: Frame,
  rows: readonly Uint8Array[],
  shardOf: (row: Uint8Array) => number,
): readonly PartialFrame[] {
  const numbers = Map.groupBy(rows.keys(), number => shardOf(rows[number]!));
  const starts = [0];
  for (const row of rows) starts.push(starts.at(-1)! + row.length);
  return [...numbers].map(([shard, own]) => {
    const bytes = own.reduce((sum, number) => sum + rows[number]!.length, 0);
    return {
      ...whole,
      whole,
      shard,
      rows: own.length,
      firstRow: whole.firstRow + own[0]!,
      lastRow: whole.firstRow + own.at(-1)!,
      end: whole.payloadStart + bytes,
      ranges: own.flatMap(number => [starts[number]!, starts[number + 1]!]),
    };
  });
}

/** The rows of partial frames of a source. */
function partialSource(source: PayloadSource): PayloadSource {
  return {
    async *payloadsOf(frames) {
      const partial = frames as readonly PartialFrame[];
      const rangesOf = new Map(partial.map(({ whole, ranges }) => [whole, ranges]));
      const wholes = partial.map(({ whole }) => whole);
      for await (const { frame, payload } of wholeFrames(source, wholes)) {
        const ranges = rangesOf.get(frame)!;
        const pieces: Buffer[] = [];
        for (let n = 0; n < ranges.length; n += 2)
          pieces.push(payload.subarray(ranges[n], ranges[n + 1]));
        yield Buffer.concat(pieces);
      }
    },
  };
}

/** Each frame with its payload, which is valid until the next one is requested. */
async function* wholeFrames(
  source: PayloadSource,
  frames: readonly Frame[],
): AsyncGenerator<{ readonly frame: Frame; readonly payload: Buffer }> {
  let index = 0;
  let payload = Buffer.alloc(lengthOf(frames[0]));
  let filled = 0;
  for await (const piece of source.payloadsOf(frames)) {
    for (let pos = 0; pos < piece.length; ) {
      const copied = piece.copy(payload, filled, pos);
      pos += copied;
      filled += copied;
      if (filled < payload.length) continue;
      yield { frame: frames[index]!, payload };
      payload = Buffer.alloc(lengthOf(frames[++index]));
      filled = 0;
    }
  }
}

function lengthOf(frame: Frame | undefined): number {
  return frame === undefined ? 0 : frame.end - frame.payloadStart;
}
