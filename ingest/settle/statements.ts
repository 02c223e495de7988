// The statements of a run. Times are in UTC, as ClickHouse writes them.

import { EVENTS_RAW } from '../../schema/rows/events-raw.ts';
import type { Run } from './settle-events.ts';

/** A closed day, as YYYY-MM-DD, and the day up to which everything is settled after it. */
export type Day = { readonly day: string; readonly settledUntil: string };

/** Late events by the time of their insert: after `after`, up to `until`. */
export type Window = {
  readonly after: string;
  readonly until: string;
  /** Only these hours; undefined for all. */
  readonly lanes: readonly number[] | undefined;
};

export type Late = Window & { readonly rows: number };

/** All query IDs of runs start with it. */
export const RUN_PREFIX = 'settle-events-';

const KEY = 'workspace_id, toDate(timestamp), event, message_id';
const COLUMNS = [...EVENTS_RAW.columns.map(({ name }) => name), 'inserted_at'].join(', ');
/** `valid_from` in the record of a run that has not ended. */
const NEVER = "toDateTime64('2100-01-01', 3, 'UTC')";
const RECORDS_PER_PARTITION = 1000;
/** A day is closed this long after it began; see schema/rows/events-raw.ts. */
const CLOSED_AFTER_HOURS = 30;

/**
 * The last complete run, the last turn taken, the time before which every insert has ended, the
 * last day that was closed at that time, partitions of old records, the current hour, and the last
 * complete run that the view knows.
 */
export function progressQuery(now: string): string {
  return `
    WITH (SELECT max((turn, settled_until, swept_until)) FROM events_settling WHERE valid_from < ${NEVER}) AS last,
         ${untilExpression(now)} AS until
    SELECT last.1, last.2, last.3, (SELECT max(turn) FROM events_settling), until,
           ${closedUntil('until')},
           (SELECT groupUniqArray(intDiv(turn, ${RECORDS_PER_PARTITION})) FROM events_settling
            WHERE turn < intDiv(last.1, ${RECORDS_PER_PARTITION}) * ${RECORDS_PER_PARTITION}
              AND last.1 % ${RECORDS_PER_PARTITION} > ${RECORDS_PER_PARTITION / 2}),
           intDiv(toUnixTimestamp(${now}), 3600),
           (SELECT max(turn) FROM events_settling WHERE valid_from <= now64(3))`;
}

/** The time before which every insert into this server has ended, and the last day that was closed then. */
export function untilQuery(now: string): string {
  return `WITH ${untilExpression(now)} AS until SELECT until, ${closedUntil('until')}`;
}

function untilExpression(now: string): string {
  return `${now} - toIntervalMillisecond(1000 + (SELECT min(toInt64(elapsed * 1000)) FROM (
            SELECT max(elapsed) AS elapsed FROM system.processes
            WHERE query_kind = 'Insert' AND position(query, 'events_raw') > 0
              AND NOT startsWith(query_id, '${RUN_PREFIX}'))))`;
}

function closedUntil(until: string): string {
  return `toDate(${until} - INTERVAL ${CLOSED_AFTER_HOURS} HOUR)`;
}

/** Waits until the server has all parts of the table that other replicas have committed. */
export function fetchAll(table: string): string {
  return `SYSTEM SYNC REPLICA ${table} LIGHTWEIGHT`;
}

/** Also waits until the server has completed the requested merges and deletions. */
export function catchUp(table: string): string {
  return `SYSTEM SYNC REPLICA ${table}`;
}

export function lateEvents(window: Window, now: string): string {
  return `
    SELECT count(), if(count() = 0, 0, dateDiff('millisecond', min(inserted_at), ${now}))
    FROM events_raw WHERE ${isWithin(window)}`;
}

/** Lane, day and number of the parts of each partition. */
export function partsToSettle(): string {
  return `
    SELECT extract(partition, '^\\\\((\\\\d+)') AS lane,
           toString(YYYYMMDDToDate(toUInt32(extract(partition, ',(\\\\d+)\\\\)$')))) AS day, count()
    FROM system.parts WHERE database = currentDatabase() AND table = 'events_raw' AND active
    GROUP BY ALL`;
}

export function partsOfDay(day: string): string {
  return `
    SELECT count() FROM system.parts
    WHERE database = currentDatabase() AND table = 'events_raw' AND active
      AND partition = '(0,${compact(day)})'`;
}

/** The last turn taken, by any process. */
export function lastTurn(): string {
  return 'SELECT max(turn) FROM events_settling';
}

/** Takes the turn. If two processes have the same turn, the higher ID wins. */
export function claim({ turn, node }: Run): string {
  return `
    INSERT INTO events_settling (turn, node, settled_until, swept_until, valid_from)
    SELECT ${turn}, toUUID('${node}'), toDate(0), toDateTime64(0, 3, 'UTC'), ${NEVER}`;
}

/** The statements of runs, without this query and the claims of others. */
export function runningRuns(): string {
  return `
    SELECT count() FROM system.processes
    WHERE startsWith(query_id, '${RUN_PREFIX}') AND position(query, 'events_settling (turn') = 0`;
}

/** Whether no other process has taken a turn since. */
function isOwn({ turn, node }: Run): string {
  return `(SELECT max((turn, node)) FROM events_settling) = (${turn}, toUUID('${node}'))`;
}

/**
 * Copies late events to events_late: the first copy of each, unless the event is stored already.
 * Repeating it adds nothing.
 */
export function sweep(
  run: Run,
  window: Window,
  { slice, slices }: { readonly slice: number; readonly slices: number },
): string {
  const inSlice = slices === 1 ? '' : ` AND cityHash64(message_id) % ${slices} = ${slice}`;
  const late = `${isWithin(window)}${inSlice}`;
  const keys = `SELECT ${KEY} FROM events_raw WHERE ${late}`;
  return `
    INSERT INTO events_late (${COLUMNS}, turn)
    SELECT ${COLUMNS}, ${run.turn}
    FROM events_raw
    WHERE ${late} AND ${isOwn(run)}
      AND (${KEY}) NOT IN (SELECT ${KEY} FROM events_raw WHERE lane = 0 AND (${KEY}) IN (${keys}))
      AND (${KEY}) NOT IN (SELECT ${KEY} FROM events_late WHERE (${KEY}) IN (${keys}))
    ORDER BY precedence DESC
    LIMIT 1 BY ${KEY}
    SETTINGS max_partitions_per_insert_block = 0, max_insert_threads = 1`;
}

function isWithin({ after, until, lanes }: Window): string {
  const lane =
    lanes === undefined ? `lane >= greatest(1, ${hourOf(after)})` : `lane IN (${lanes.join()})`;
  return `${lane} AND inserted_at > ${instant(after)} AND inserted_at <= ${instant(until)}`;
}

/** Events of the day that are also in events_late, because a client's clock was days ahead. */
export function countOverlap(day: string): string {
  return `SELECT count() FROM events_raw WHERE ${isOverlap(day, '')}`;
}

export function deleteOverlap(day: string, turnMax: number): string {
  return `
    ALTER TABLE events_raw DELETE IN PARTITION (0, ${compact(day)})
    WHERE ${isOverlap(day, `AND turn <= ${turnMax}`)} SETTINGS mutations_sync = 1`;
}

function isOverlap(day: string, condition: string): string {
  return `
    lane = 0 AND toDate(timestamp) = toDate('${day}')
    AND (${KEY}) IN (SELECT ${KEY} FROM events_late WHERE toDate(timestamp) = toDate('${day}') ${condition})`;
}

/** Does not merge again what is merged, which the other replicas may not have received yet. */
export function mergeDay(day: string): string {
  return `OPTIMIZE TABLE events_raw PARTITION (0, ${compact(day)}) FINAL SETTINGS optimize_throw_if_noop = 1, optimize_skip_merged_partitions = 1`;
}

type Record = {
  readonly settledUntil: string;
  readonly sweptUntil: string;
  readonly lagMs: number;
};

export function record(run: Run, { settledUntil, sweptUntil, lagMs }: Record): string {
  return `
    INSERT INTO events_settling (turn, node, settled_until, swept_until, valid_from)
    SELECT ${run.turn}, toUUID('${run.node}'), toDate('${settledUntil}'), ${instant(sweptUntil)},
           now64(3) + toIntervalMillisecond(${lagMs})
    WHERE ${isOwn(run)}`;
}

/** 0 if another process took a later turn before the run was recorded. */
export function countRecords({ turn, node }: Run): string {
  return `
    SELECT count() FROM events_settling
    WHERE turn = ${turn} AND node = toUUID('${node}') AND valid_from < ${NEVER}`;
}

export function dropLane(hour: number): string {
  return `ALTER TABLE events_raw DROP PARTITION (${hour}, 0)`;
}

export function dropRecords(partition: number): string {
  return `ALTER TABLE events_settling DROP PARTITION ${partition}`;
}

function instant(text: string): string {
  return `toDateTime64('${text}', 3, 'UTC')`;
}

function hourOf(text: string): string {
  return `intDiv(toUnixTimestamp64Milli(${instant(text)}), 3600000)`;
}

/** 20261123 for 2026-11-23, as partitions are named. */
function compact(day: string): string {
  return day.replaceAll('-', '');
}
