// Puts one block into ClickHouse exactly once. A fresh block is inserted; whenever the outcome of
// an attempt is not a plain success, and for every block found after a restart, the inserter waits
// until no query of that block is running, asks how many of its rows are there, and only inserts
// when there are none. The token covers what the question can't see: a copy of the request that
// reaches ClickHouse later. A block refused for its data is halved until the bad row stands alone, and
// one that ClickHouse never has the memory for until it fits.

import type { Clock } from '../clock.ts';
import { INSERT_TIMEOUT_MS, QUESTION_TIMEOUT_MS, RETRY_WAIT_MAX_MS } from '../limits.ts';
import { SegmentReadFailure } from '../spool/read-payloads.ts';
import { type Block, queryPrefix } from './block.ts';
import { statementBody } from './block-body.ts';
import type { ClickHouse } from './clickhouse.ts';
import { halveBlock } from './halve-block.ts';
import { isOutOfMemory, isRefusalOfData } from './refusal.ts';
import { Stopped } from './stopped.ts';

export type InsertBlockDeps = {
  readonly clickhouse: ClickHouse;
  readonly clock: Clock;
  /** From 0 to 1; spreads the retries of many nodes. */
  random(): number;
  readonly signal: AbortSignal;
  /** Resolves when it is durable that this block may be in the table in parts. */
  beforeParts(block: Block): Promise<void>;
  /** One row that ClickHouse will never take, with its reason. Resolves when it is kept elsewhere. */
  park(block: Block, reason: string): Promise<void>;
  onInserted(block: Block, ms: number): void;
  /** The block was there already: an earlier attempt had succeeded. */
  onPresent(block: Block): void;
  onFailure(block: Block, error: unknown): void;
};

/** What earlier attempts may have left: nothing, the whole block, or some of its halves. */
export type Freshness = 'never tried' | 'maybe tried' | 'maybe in parts';

type Presence = 'none' | 'some' | 'all';

const FIRST_WAIT_MS = 200;
/** A query that runs on without its client is asked to stop after this many looks at it. */
const LOOKS_BEFORE_KILL = 30;
const LOOK_INTERVAL_MS = 1_000;

/** Whoever has had no memory for a block so often may be too small for it: halves need half of it. */
const MEMORY_REFUSALS_MAX = 6;

/** One block, one part: nothing may cut it, neither by its bytes nor so that several threads can
 * parse it, and nothing may collect it with other inserts. That copies within a block are merged at
 * once is not worth a tenth of the insert's work: the next merge does it, and the views never show
 * them. */
const ONE_BLOCK_SETTINGS = {
  async_insert: 0,
  optimize_on_insert: 0,
  insert_deduplicate: 1,
  max_insert_block_size: 1_048_449,
  min_insert_block_size_rows: 1_048_449,
  min_insert_block_size_bytes: 0,
  input_format_parallel_parsing: 0,
  max_insert_threads: 1,
  wait_end_of_query: 1,
};

/** True when all rows are in ClickHouse or parked; false when told to stop before. */
export async function insertBlock(
  deps: InsertBlockDeps,
  block: Block,
  freshness: Freshness,
): Promise<boolean> {
  const isUnknown = freshness !== 'never tried';
  const progress: Progress = {
    isUnknown,
    token: block.token,
    wasTokenSent: isUnknown,
    isTokenSpent: false,
    ms: undefined,
    memoryRefusals: 0,
  };
  let waitMs = FIRST_WAIT_MS;
  while (!deps.signal.aborted) {
    try {
      const presence = progress.isUnknown ? await presenceOf(deps, block) : 'none';
      if (presence === 'some' && freshness === 'maybe in parts') return insertParts(deps, block);
      if (presence === 'none' && !(await insertOnce(deps, block, progress))) continue;
      if (progress.ms === undefined) deps.onPresent(block);
      else deps.onInserted(block, progress.ms);
      return true;
    } catch (error) {
      // Sending it again would meet the same: the segment has to be looked through anew.
      if (error instanceof SegmentReadFailure) throw error;
      deps.onFailure(block, error);
      if (isRefusalOfData(error)) return takeApart(deps, block, error);
      if (
        isOutOfMemory(error) &&
        ++progress.memoryRefusals === MEMORY_REFUSALS_MAX &&
        block.rows > 1
      )
        return takeInHalves(deps, block);
      await deps.clock.sleep(waitMs * (0.5 + deps.random()), deps.signal);
      waitMs = Math.min(waitMs * 2, RETRY_WAIT_MAX_MS);
    }
  }
  return false;
}

type Progress = {
  /** An earlier attempt may have put the block in. */
  isUnknown: boolean;
  token: string;
  /** In an earlier attempt: its success may be that of the repeat, which stores nothing. */
  wasTokenSent: boolean;
  /** An insert with it was answered with success. */
  isTokenSpent: boolean;
  /** How long the insert took that was answered with success. */
  ms: number | undefined;
  memoryRefusals: number;
};

/**
 * One attempt; true when its success means that the rows are in. ClickHouse logs a token before it
 * commits the part, so after a failure or a crash in between, the same token is answered with
 * success and nothing is stored: a repeated token's success has to be looked after, and when it
 * left no rows, there is a new token, which further attempts share: a copy of one of them that
 * reaches ClickHouse late is dropped like any other.
 */
async function insertOnce(
  deps: InsertBlockDeps,
  block: Block,
  progress: Progress,
): Promise<boolean> {
  const startedMs = deps.clock.monotonicMs();
  const unique = Math.floor(deps.random() * 1e15).toString(36);
  if (progress.isTokenSpent) {
    progress.token = `${block.token}-${unique}`;
    progress.wasTokenSent = false;
    progress.isTokenSpent = false;
  }
  const isCertain = !progress.wasTokenSent;
  const columns = block.table.columns.map(column => column.name).join(', ');
  progress.isUnknown = true;
  progress.wasTokenSent = true;
  await deps.clickhouse.execute(`INSERT INTO ${block.table.name} (${columns}) FORMAT RowBinary`, {
    body: statementBody(block.body),
    queryId: `${queryPrefix(block)}${block.firstRow}-${block.lastRow}-${process.pid}-${unique}`,
    timeoutMs: INSERT_TIMEOUT_MS,
    settings: { ...ONE_BLOCK_SETTINGS, insert_deduplication_token: progress.token },
  });
  progress.ms = deps.clock.monotonicMs() - startedMs;
  progress.isTokenSpent = true;
  return isCertain;
}

/**
 * How much of the block is in its table; first waits until no query that carries it is running.
 * A block is one part, so unless it was taken apart, some of its rows mean all of them: the others
 * have merged with further copies of the same events.
 */
async function presenceOf(deps: InsertBlockDeps, block: Block): Promise<Presence> {
  await untilNotRunning(deps, block);
  const { table, partition } = block;
  const samePartition =
    table.partitionExpression === null ? '' : ` AND ${table.partitionExpression} = ${partition}`;
  const answer = await deps.clickhouse.execute(
    `SELECT count() FROM ${table.name} WHERE ${rowsOf(block)}${samePartition} FORMAT TSV`,
    { timeoutMs: QUESTION_TIMEOUT_MS },
  );
  const present = Number(answer);
  return present === 0 ? 'none' : present < block.rows ? 'some' : 'all';
}

/** Of several segments only the first and the last can be in the block in part. */
function rowsOf({ segmentIds, firstRow, lastRow }: Block): string {
  const [first, last] = [segmentIds[0], segmentIds.at(-1)];
  if (segmentIds.length === 1)
    return `batch_id = toUUID('${first}') AND batch_row BETWEEN ${firstRow} AND ${lastRow}`;
  const ids = segmentIds.map(id => `'${id}'`).join();
  return (
    `batch_id IN (${ids}) AND NOT (batch_id = toUUID('${first}') AND batch_row < ${firstRow})` +
    ` AND NOT (batch_id = toUUID('${last}') AND batch_row > ${lastRow})`
  );
}

async function untilNotRunning(deps: InsertBlockDeps, block: Block): Promise<void> {
  // Whatever its rows: an earlier process may have cut the block off earlier.
  const isOfBlock = `startsWith(query_id, '${queryPrefix(block)}')`;
  for (let looks = 1; ; looks++) {
    const running = await deps.clickhouse.execute(
      `SELECT count() FROM system.processes WHERE ${isOfBlock} FORMAT TSV`,
      { timeoutMs: QUESTION_TIMEOUT_MS },
    );
    if (Number(running) === 0) return;
    if (deps.signal.aborted) throw new Stopped('Told to stop while a query was still running.');
    if (looks === LOOKS_BEFORE_KILL)
      await deps.clickhouse.execute(`KILL QUERY WHERE ${isOfBlock} ASYNC`);
    await deps.clock.sleep(LOOK_INTERVAL_MS, deps.signal);
  }
}

async function takeApart(deps: InsertBlockDeps, block: Block, refusal: unknown): Promise<boolean> {
  if (block.rows === 1) {
    await deps.park(block, refusal instanceof Error ? refusal.message : String(refusal));
    return true;
  }
  return takeInHalves(deps, block);
}

async function takeInHalves(deps: InsertBlockDeps, block: Block): Promise<boolean> {
  await deps.beforeParts(block);
  return insertParts(deps, block);
}

async function insertParts(deps: InsertBlockDeps, block: Block): Promise<boolean> {
  for (const half of await halveBlock(block)) {
    if (!(await insertBlock(deps, half, 'maybe in parts'))) return false;
  }
  return true;
}
