// Inserts one block into ClickHouse exactly once. A fresh block is inserted directly. After an
// attempt without a clear success, and for every block found after a restart, the inserter waits
// until no query of that block is running, counts the block's rows in ClickHouse, and inserts only
// if there are none. The token covers the case that the count cannot detect: a copy of the request
// that reaches ClickHouse later. A block whose data is rejected is halved until the bad row is
// alone, and a block that repeatedly exceeds ClickHouse's memory is halved until it fits.

import { ALL_TABLES } from '../../schema/rows/all-tables.ts';
import type { Clock } from '../clock.ts';
import { INSERT_TIMEOUT_MS, QUESTION_TIMEOUT_MS, RETRY_WAIT_MAX_MS } from '../limits.ts';
import { SegmentReadFailure } from '../spool/read-payloads.ts';
import { type Block, queryPrefix } from './block.ts';
import { statementBody } from './block-body.ts';
import type { ClickHouse } from './clickhouse.ts';
import { halveBlock } from './halve-block.ts';
import { isOutOfMemory, isRefusalOfData } from './refusal.ts';
import { askReplicas } from './replicas.ts';
import { Stopped } from './stopped.ts';

export type InsertBlockDeps = {
  readonly clickhouse: ClickHouse;
  readonly clock: Clock;
  /** From 0 to 1. Spreads the retries of many nodes. */
  random(): number;
  readonly signal: AbortSignal;
  /** Resolves when the note that the table may have parts of this block is durable. */
  beforeParts(block: Block): Promise<void>;
  /**
   * Stores a row that ClickHouse will never accept elsewhere, with its reason. Resolves when that
   * is done.
   */
  park(block: Block, reason: string): Promise<void>;
  onInserted(block: Block, ms: number): void;
  /** Called if an earlier attempt had already inserted the block. */
  onPresent(block: Block): void;
  onFailure(block: Block, error: unknown): void;
};

/** The possible result of earlier attempts: nothing, the whole block, or some of its halves. */
export type Freshness = 'never tried' | 'maybe tried' | 'maybe in parts';

type Presence = 'none' | 'some' | 'all';

const FIRST_WAIT_MS = 200;
/** A query that keeps running without its client is killed after this many checks. */
const LOOKS_BEFORE_KILL = 30;
const LOOK_INTERVAL_MS = 1_000;

/**
 * After this many memory errors the server may be too small for the block. Halves need half the
 * memory.
 */
const MEMORY_REFUSALS_MAX = 6;

/**
 * These settings make one block one part. No limit in bytes and no parallel parsing may split it,
 * and async inserts may not merge it with other inserts. Merging duplicate rows within a block at
 * insert time is disabled: it costs a tenth of the insert, the next merge does it anyway, and the
 * views never show duplicates.
 */
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

/** Returns true when all rows are in ClickHouse or parked; false if the process stopped before. */
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
    hasSecondToken: false,
    ms: undefined,
    memoryRefusals: 0,
  };
  let waitMs = FIRST_WAIT_MS;
  while (!deps.signal.aborted) {
    try {
      const presence = progress.isUnknown ? await presenceOf(deps, block) : 'none';
      if (presence === 'some' && (freshness === 'maybe in parts' || !isOnePart(block)))
        return insertParts(deps, block);
      if (presence === 'none' && !(await insertOnce(deps, block, progress))) continue;
      if (progress.ms === undefined) deps.onPresent(block);
      else deps.onInserted(block, progress.ms);
      return true;
    } catch (error) {
      // Sending the same data again would fail the same way. The segment has to be read again.
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
  /** Whether an earlier attempt may have inserted the block. */
  isUnknown: boolean;
  token: string;
  /**
   * Whether an earlier attempt used the token. The success of a repeated token may have stored
   * nothing.
   */
  wasTokenSent: boolean;
  /** Whether an insert with the token returned success. */
  isTokenSpent: boolean;
  /** Whether the first token returned success although nothing was stored. */
  hasSecondToken: boolean;
  /** The duration of the insert that returned success. */
  ms: number | undefined;
  memoryRefusals: number;
};

/**
 * Makes one attempt. Returns true if its success means that the rows are stored. ClickHouse logs a
 * token before it commits the part. After a failure or a crash in between, the same token returns
 * success and nothing is stored. So the success of a repeated token has to be verified. If no rows
 * are found, further attempts use a second token. It follows from the block, so that a copy of an
 * attempt that reaches ClickHouse late is dropped, whichever process made it. The third is new, and its
 * success is final: rows that were deleted by a TTL would be missed forever.
 */
async function insertOnce(
  deps: InsertBlockDeps,
  block: Block,
  progress: Progress,
): Promise<boolean> {
  const startedMs = deps.clock.monotonicMs();
  const unique = Math.floor(deps.random() * 1e15).toString(36);
  if (progress.isTokenSpent) {
    const isSecond = !progress.hasSecondToken;
    progress.token = `${block.token}-${isSecond ? 'again' : unique}`;
    progress.hasSecondToken = true;
    progress.wasTokenSent = isSecond;
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

/** Blocks of segments written before the table's partitions were changed may be several parts. */
function isOnePart({ table }: Block): boolean {
  const current = ALL_TABLES.find(({ id }) => id === table.id);
  return current?.partitionExpression === table.partitionExpression;
}

/**
 * Counts the rows of a block in its table, after no query with its rows is running. A block is one
 * part. So unless it was split, some of its rows mean all of them: the others were merged with
 * further copies of the same events.
 */
async function presenceOf(deps: InsertBlockDeps, block: Block): Promise<Presence> {
  await untilNotRunning(deps, block);
  const { table, partition } = block;
  const samePartition =
    table.partitionExpression === null ? '' : ` AND ${table.partitionExpression} = ${partition}`;
  const answers = await askReplicas(
    deps.clickhouse,
    `SELECT count() FROM ${table.name} WHERE ${rowsOf(block)}${samePartition} FORMAT TSV`,
    { timeoutMs: QUESTION_TIMEOUT_MS },
  );
  const present = Math.max(...answers.map(Number));
  const { quorum = 1 } = deps.clickhouse;
  const holders = answers.filter(count => Number(count) > 0).length;
  if (present > 0 && holders < quorum)
    throw new Error(`The block is on ${holders} of the ${quorum} required replicas.`);
  return present === 0 ? 'none' : present < block.rows ? 'some' : 'all';
}

/** In a group, only the first and the last segment can be partially in the block. */
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
  // Matches any rows of the segment, because an earlier process may have split blocks elsewhere.
  const isOfBlock = `startsWith(query_id, '${queryPrefix(block)}')`;
  for (let looks = 1; ; looks++) {
    const running = await askReplicas(
      deps.clickhouse,
      `SELECT count() FROM system.processes WHERE ${isOfBlock} FORMAT TSV`,
      { timeoutMs: QUESTION_TIMEOUT_MS },
    );
    if (running.every(count => Number(count) === 0)) return;
    if (deps.signal.aborted) throw new Stopped('Stopped while a query was still running.');
    if (looks === LOOKS_BEFORE_KILL)
      await askReplicas(deps.clickhouse, `KILL QUERY WHERE ${isOfBlock} ASYNC`);
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
