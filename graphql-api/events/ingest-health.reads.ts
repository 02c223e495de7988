// The ingestion health of a workspace: accepted and rejected events per bucket of the server's
// clock, and the time of the newest row.

import { DAY_MS, HOUR_MS } from '../../schema/values/durations.ts';
import type { Context } from '../platform/context.ts';
import { workspaceOf } from '../platform/permit.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { type BucketSize, bucketStarts } from '../platform/warehouse/bucket-starts.ts';
import {
  type ReportRange,
  requireRange,
  SERIES_DAYS_MAX,
  within,
} from '../platform/warehouse/report-range.ts';
import { NEAR_ARRIVAL } from './arrival.ts';
import { countsOf } from './event-count.reads.ts';

type IngestHealthInput = {
  /** Defaults to the last hour. */
  readonly range?: ReportRange | null | undefined;
  readonly bucket: BucketSize;
  readonly timeZone: string;
};

export type IngestHealth = {
  readonly bucketStarts: readonly Date[];
  // Each query runs on the first call, so that `delay` is available even if the warehouse is not.
  readonly accepted: () => Promise<readonly number[]>;
  readonly rejected: () => Promise<readonly number[]>;
  readonly newestReceivedAt: () => Promise<Date | undefined>;
};

/** A newest event older than this is reported as none. */
export const NEWEST_DAYS = 7;

type Series = { readonly starts: readonly number[]; readonly counts: readonly number[] };

export function ingestHealth(context: Context, input: IngestHealthInput): IngestHealth {
  workspaceOf(context.viewer);
  const lastHour = () => {
    const nowMs = context.deps.clock.nowMs();
    return { from: new Date(nowMs - HOUR_MS), to: new Date(nowMs) };
  };
  const range = requireRange(input.range ?? lastHour(), SERIES_DAYS_MAX);
  const starts = bucketStarts(range, input.bucket, input.timeZone);
  const parameters = { ...range, starts: starts.map(ms => ms / 1000) };
  const counts = async (query: string) => {
    const [series] = await ask<Series>(context, query, parameters);
    return countsOf(starts, series!.starts, series!.counts);
  };
  let newest: Promise<Date | undefined> | undefined;
  return {
    bucketStarts: starts.map(ms => new Date(ms)),
    accepted: () => counts(seriesOf('events', `AND ${NEAR_ARRIVAL}`)),
    rejected: () => counts(seriesOf('rejected_events', '')),
    newestReceivedAt: () => (newest ??= newestReceivedAt(context)),
  };
}

function seriesOf(view: 'events' | 'rejected_events', conditions: string): string {
  return `SELECT groupArray(bucket) AS starts, groupArray(rows) AS counts FROM (
    SELECT roundDown(toUnixTimestamp(received_at), {starts:Array(UInt32)}) AS bucket, count() AS rows
    FROM ${view}
    WHERE workspace_id = {workspaceId:UUID} AND ${within('received_at')} ${conditions}
    GROUP BY bucket)`;
}

async function newestReceivedAt(context: Context): Promise<Date | undefined> {
  const nowMs = context.deps.clock.nowMs();
  const [row] = await ask<{ newest: number; rows: number }>(
    context,
    `SELECT toUnixTimestamp64Milli(max(received)) AS newest, count() AS rows FROM (
       SELECT received_at AS received FROM events
       WHERE workspace_id = {workspaceId:UUID} AND ${within('received_at')} AND ${NEAR_ARRIVAL}
       UNION ALL
       SELECT received_at AS received FROM rejected_events
       WHERE workspace_id = {workspaceId:UUID} AND ${within('received_at')})`,
    { fromMs: nowMs - NEWEST_DAYS * DAY_MS, toMs: nowMs + DAY_MS },
  );
  return row === undefined || row.rows === 0 ? undefined : new Date(row.newest);
}
