// Counts events by name and bucket. The most frequent names get their own line; the rest share one.

import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { type BucketSize, bucketStarts } from '../platform/warehouse/bucket-starts.ts';
import {
  type EventFilter,
  type EventType,
  eventConditions,
} from '../platform/warehouse/event-filter.ts';
import {
  type ReportRange,
  requireRange,
  SERIES_DAYS_MAX,
  within,
} from '../platform/warehouse/report-range.ts';

type EventCountsInput = Pick<EventFilter, 'types' | 'names'> & {
  readonly range: ReportRange;
  readonly bucket: BucketSize;
  readonly timeZone: string;
  readonly top: number;
};

export type EventCounts = {
  readonly bucketStarts: readonly Date[];
  readonly lines: readonly EventCountLine[];
};

export type EventCountLine = {
  /** `type` and `name` are undefined for the line of remaining names. */
  readonly type: EventType | undefined;
  readonly name: string | undefined;
  readonly total: number;
  /** One count per bucket. */
  readonly counts: readonly number[];
};

/** More lines than a chart can show distinctly. */
export const TOP_MAX = 50;

type Row = {
  readonly isRest: number;
  readonly type: EventType;
  readonly name: string;
  readonly total: number;
  readonly series: readonly [starts: readonly number[], counts: readonly number[]];
};

export async function eventCounts(context: Context, input: EventCountsInput): Promise<EventCounts> {
  const { top, types, names } = input;
  if (!Number.isInteger(top) || top < 1 || top > TOP_MAX)
    return reject('BAD_USER_INPUT', {
      field: ['top'],
      message: `top must be between 1 and ${TOP_MAX}.`,
    });
  const range = requireRange(input.range, SERIES_DAYS_MAX);
  const starts = bucketStarts(range, input.bucket, input.timeZone);
  const { conditions, parameters } = eventConditions({ types, names });
  const rows = await ask<Row>(
    context,
    `SELECT rank > {top:UInt32} AS is_rest,
            if(is_rest, '', named_type) AS type, if(is_rest, '', named) AS name,
            sum(events) AS total, sumMap(starts, counts) AS series
     FROM (
       SELECT named_type, named, sum(bucket_events) AS events,
              groupArray(bucket) AS starts, groupArray(bucket_events) AS counts,
              row_number() OVER (ORDER BY events DESC, named_type, named) AS rank
       FROM (
         SELECT type AS named_type, if(event != '', event, name) AS named,
                roundDown(toUnixTimestamp(timestamp), {starts:Array(UInt32)}) AS bucket,
                count() AS bucket_events
         FROM events
         WHERE workspace_id = {workspaceId:UUID} AND ${within('timestamp')} ${conditions}
         GROUP BY named_type, named, bucket
       )
       GROUP BY named_type, named
     )
     GROUP BY is_rest, type, name
     ORDER BY is_rest, total DESC, type, name`,
    { ...range, ...parameters, top, starts: starts.map(ms => ms / 1000) },
  );
  return {
    bucketStarts: starts.map(ms => new Date(ms)),
    lines: rows.map(({ isRest, type, name, total, series }) => ({
      ...(isRest ? { type: undefined, name: undefined } : { type, name }),
      total,
      counts: countsOf(starts, ...series),
    })),
  };
}

/** Fills buckets without events with zeros. */
export function countsOf(
  starts: readonly number[],
  at: readonly number[],
  counts: readonly number[],
): number[] {
  const byStart = new Map(at.map((start, index) => [start * 1000, counts[index]!]));
  return starts.map(start => byStart.get(start) ?? 0);
}
