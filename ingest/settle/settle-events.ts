// One run of the background work behind the view `events`, on a single ClickHouse node or a shard of a cluster. A run has a
// number, its turn. It moves late events from the lane, into which they were inserted, to
// events_late, each once; it merges a closed day into one part without duplicates; and then
// it records how far both have come, which the view reads. The tables and the view are
// described in migrations/clickhouse/0007_settled_days.sql.
//
// Any statement may fail, be repeated, or be the last one of the process: until the record is
// written, the view is unchanged. Two processes may run at the same time: a run whose turn was taken
// over inserts nothing more and drops nothing, merges may be repeated, and a run begins only when no
// statement of another is still running.
//
// The statements of a shard all run on one of its replicas, the leader, so they see each other's effects at
// once. The view is read on the others as well: ./replicated.ts.

import { HOUR_MS } from '../../schema/values/durations.ts';
import type { ClickHouse } from '../insert/clickhouse.ts';
import { endOfInserts, haveReplicated, rowsOf } from './replicated.ts';
import {
  claim,
  countOverlap,
  countRecords,
  type Day,
  deleteOverlap,
  dropLane,
  dropRecords,
  type Late,
  lastTurn,
  lateEvents,
  mergeDay,
  partsOfDay,
  partsToSettle,
  progressQuery,
  RUN_PREFIX,
  record,
  runningRuns,
  sweep,
} from './statements.ts';

export type SettleDeps = {
  /** A single node, or the leader of a shard. */
  readonly clickhouse: Connection;
  /** The other replicas of the shard. */
  readonly others?: readonly Connection[];
  /** A UUID of the process. */
  readonly node: string;
  readonly sleep: (ms: number) => Promise<void>;
  /** An SQL expression of type DateTime64(3, 'UTC'): ClickHouse's own clock except in tests. */
  readonly now?: string;
  /** How long after the last statement the view begins to use the result. */
  readonly lagMs?: number;
  /** Late events are moved when there are this many, or the oldest has waited for `waitMaxMs`. */
  readonly rowsMin?: number;
  readonly waitMaxMs?: number;
  /** Called before the run with the last day, as YYYY-MM-DD, up to which all events are settled. */
  readonly onProgress?: (settledUntil: string) => void;
};

export type Connection = Pick<ClickHouse, 'execute'>;

export type SettleResult = {
  /** Whether more work is due now. */
  readonly hasMore: boolean;
};

/**
 * Queries take the list of parts of each table and the record within milliseconds of each other.
 * A query with the new record must not have an older list, so the record is valid only after this
 * time.
 */
export const RECORD_LAG_MS = 10_000;
/** Comparing a few events with the stored ones costs almost as much as comparing this many. */
const LATE_ROWS_MIN = 300;
/** The view compares waiting late events at each query, so they must not become many. */
const LATE_WAIT_MAX_MS = 60_000;
/** Bounds the memory of the sets that a statement compares with: about 150 bytes each. */
const ROWS_PER_SWEEP_MAX = 1_000_000;
/** Ingest may query the rows of a block for half an hour, longer after an outage of ClickHouse. */
const LANE_KEPT_HOURS = 3;
/** Merging the largest days takes minutes. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;
const RUNNING_LOOK_MS = 500;
const RUNNING_LOOKS_MAX = 120;

/** Does one run if anything is due. Rejects if a statement fails; a later run does it again. */
export async function settleEvents(deps: SettleDeps): Promise<SettleResult> {
  const due = await findDue(deps);
  const { progress, late, expired } = due;
  deps.onProgress?.(due.settledUntil);
  // A day that cannot be merged, for lack of disk space, must not hold up late events.
  const day = due.isSweepDue ? undefined : due.day;
  if (!due.isSweepDue && day === undefined && expired.length === 0) return { hasMore: false };
  const run = { turn: progress.claimed + 1, node: deps.node };
  await execute(deps, claim(run), run);
  await untilNoOtherRun(deps);
  if (due.isSweepDue) await sweepAll(deps, run, late);
  // Finds rows only if an insert took longer than expected.
  if (expired.length > 0) await sweepAll(deps, run, { ...late, after: EPOCH, lanes: expired });
  const isSettled = day === undefined || (await settleDay(deps, run, day, progress.turn));
  const settledUntil = isSettled
    ? (day?.settledUntil ?? progress.settledUntil)
    : progress.settledUntil;
  const sweptUntil = due.isSweepDue ? late.until : progress.sweptUntil;
  if (!(await haveReplicated(deps.others, isSettled ? day?.day : undefined)))
    return { hasMore: false };
  await execute(
    deps,
    record(run, { settledUntil, sweptUntil, lagMs: deps.lagMs ?? RECORD_LAG_MS }),
    run,
  );
  // An overtaken run has moved nothing, so it must not drop anything.
  const [[recorded] = []] = await query(deps, countRecords(run));
  if (recorded === '0') return { hasMore: false };
  for (const lane of expired) await execute(deps, dropLane(lane), run);
  for (const partition of progress.oldRecords) await execute(deps, dropRecords(partition), run);
  return { hasMore: due.day !== undefined && isSettled };
}

/**
 * Executes a statement while no run is moving events from one table to another. Until it ends, no run
 * begins; a run that tries fails and is attempted again.
 */
export async function betweenRuns(
  deps: SettleDeps,
  statement: string,
  timeoutMs: number,
): Promise<void> {
  const [[turn] = []] = await query(deps, lastTurn());
  const run = { turn: Number(turn) + 1, node: deps.node };
  await execute(deps, claim(run), run);
  await untilNoOtherRun(deps);
  await execute(deps, statement, run, timeoutMs);
}

const EPOCH = '1970-01-01 00:00:00.000';

export type Run = { readonly turn: number; readonly node: string };

type Progress = {
  /** The turn of the last complete run that the view knows. */
  readonly turn: number;
  /** The last turn taken, by any process. */
  readonly claimed: number;
  readonly settledUntil: string;
  readonly sweptUntil: string;
  /** Partitions of records that the view has not used for a long time. */
  readonly oldRecords: readonly number[];
};

async function findDue(deps: SettleDeps) {
  const now = deps.now ?? 'now64(3)';
  const theirs = await endOfInserts(deps, now);
  const [row = []] = await query(deps, progressQuery(now));
  const [, settledUntil, sweptUntil, claimed, own, ownClosed, oldRecords, nowHour, turn] = row;
  const until = earliest(own!, theirs?.until);
  const closedUntil = earliest(ownClosed!, theirs?.closedUntil);
  const progress: Progress = {
    turn: Number(turn),
    claimed: Number(claimed),
    settledUntil: settledUntil!,
    sweptUntil: sweptUntil!,
    oldRecords: JSON.parse(oldRecords!) as number[],
  };
  const window = { after: progress.sweptUntil, until, lanes: undefined };
  const [[rows, waitedMs] = []] = await query(deps, lateEvents(window, now));
  const late: Late = { ...window, rows: Number(rows) };
  const isSweepDue =
    late.rows >= (deps.rowsMin ?? LATE_ROWS_MIN) ||
    (late.rows > 0 && Number(waitedMs) >= (deps.waitMaxMs ?? LATE_WAIT_MAX_MS));
  const parts = await query(deps, partsToSettle());
  const lanes = parts.map(([lane]) => Number(lane));
  const laneMax = Number(nowHour) - LANE_KEPT_HOURS - 1;
  // Rows that were never swept are never dropped.
  const sweptHour = Math.floor(Date.parse(`${progress.sweptUntil.replace(' ', 'T')}Z`) / HOUR_MS);
  const expired = lanes.filter(lane => lane > 0 && lane <= laneMax && lane < sweptHour);
  const day = firstDay(parts, progress.settledUntil, closedUntil);
  return {
    progress,
    late,
    isSweepDue,
    day,
    expired,
    settledUntil: settledBefore(day, progress.settledUntil, closedUntil),
  };
}

function earliest(own: string, theirs: string | undefined): string {
  return theirs !== undefined && theirs < own ? theirs : own;
}

/** Days without events need no run, so more days may be settled than the record shows. */
function settledBefore(due: Day | undefined, recorded: string, closedUntil: string): string {
  const until = due === undefined ? closedUntil : dayBefore(due.day);
  return until > recorded ? until : recorded;
}

/** The earliest closed day that is not settled, or has become several parts since. */
function firstDay(
  parts: readonly string[][],
  settledUntil: string,
  closedUntil: string,
): Day | undefined {
  const days = parts
    .filter(([lane]) => lane === '0')
    .map(([, day, count]) => ({ day: day!, isOnePart: count === '1' }))
    .filter(({ day, isOnePart }) => day <= closedUntil && (day > settledUntil || !isOnePart))
    .map(({ day }) => day)
    .sort();
  const [first, second] = days;
  if (first === undefined) return undefined;
  // Days without events in between are settled with it.
  const until = second === undefined ? closedUntil : dayBefore(second);
  return { day: first, settledUntil: until > settledUntil ? until : settledUntil };
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** A killed process leaves its statement running; a paused one may have sent it a moment ago. */
async function untilNoOtherRun(deps: SettleDeps): Promise<void> {
  for (let looks = 0; looks < RUNNING_LOOKS_MAX; looks++) {
    const [[running] = []] = await query(deps, runningRuns());
    if (running === '0') return;
    await deps.sleep(RUNNING_LOOK_MS);
  }
  throw new Error('A statement from an earlier run is still running.');
}

async function sweepAll(deps: SettleDeps, run: Run, late: Late): Promise<void> {
  const slices = Math.max(1, Math.ceil(late.rows / ROWS_PER_SWEEP_MAX));
  for (let slice = 0; slice < slices; slice++)
    await execute(deps, sweep(run, late, { slice, slices }), run);
}

/**
 * Returns false if the day can't be settled in this run. Its events that are also in events_late
 * are deleted first; since they were moved, the view reads them from events_late. Only complete
 * runs count, because the view does not use the others.
 */
async function settleDay(deps: SettleDeps, run: Run, { day }: Day, turn: number): Promise<boolean> {
  const overlap = async () => Number((await query(deps, countOverlap(day)))[0]?.[0]);
  if ((await overlap()) > 0) {
    await execute(deps, deleteOverlap(day, turn), run);
    if ((await overlap()) > 0) return false;
  }
  await execute(deps, mergeDay(day), run);
  const [[parts] = []] = await query(deps, partsOfDay(day));
  return parts === '1';
}

function query({ clickhouse }: SettleDeps, sql: string): Promise<string[][]> {
  return rowsOf(clickhouse, sql);
}

let statements = 0;

async function execute(
  { clickhouse }: SettleDeps,
  sql: string,
  { turn, node }: Run,
  timeoutMs = STATEMENT_TIMEOUT_MS,
): Promise<void> {
  const queryId = `${RUN_PREFIX}${turn}-${node}-${++statements}`;
  await clickhouse.execute(sql, { queryId, timeoutMs });
}
