// Arguments, enums and costs shared by all report fields.

import type { ArgBuilder } from '@pothos/core';
import { QUESTION_POINTS } from '../warehouse/ask.ts';
import type { BucketSize } from '../warehouse/bucket-starts.ts';
import type { ReportRange } from '../warehouse/report-range.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { pageCost } from './connection.ts';
import { uppercaseEnum } from './described-enum.ts';

export const ReportRangeInput = builder.inputRef<ReportRange>('ReportRange').implement({
  description: 'A half-open time range: `from` is included, but `to` is not.',
  fields: t => ({
    from: t.field({
      type: 'DateTime',
      required: true,
      description: 'The start of the range, inclusive.',
    }),
    to: t.field({
      type: 'DateTime',
      required: true,
      description: 'The end of the range, exclusive.',
    }),
  }),
});

export const BucketSizeEnum = uppercaseEnum<Exclude<BucketSize, 'week'>>(
  'BucketSize',
  'The length of a time-series bucket. Hours and days are based on the report’s time zone.',
  {
    minute: 'One minute, for ranges of up to a day.',
    hour: 'One hour, for ranges of up to 31 days.',
    day: 'One day, from midnight to midnight.',
  },
);

export const EventTypeEnum = uppercaseEnum('EventType', 'The SDK call that sent an event.', {
  track: 'A user performed an action.',
  identify: 'A user was identified.',
  page: 'A page of a website was viewed.',
  screen: 'A screen of an app was viewed.',
  group: 'A user was associated with a group.',
  alias: 'Two IDs were linked to the same person.',
});

export function rangeArg(arg: ArgBuilder<SchemaTypes>, daysMax: number) {
  return arg({
    type: ReportRangeInput,
    required: true,
    description: `The time range of the report, at most ${daysMax} days.`,
  });
}

export function bucketArgs(arg: ArgBuilder<SchemaTypes>) {
  return {
    bucket: arg({
      type: BucketSizeEnum,
      required: true,
      description: 'The length of a bucket.',
    }),
    timeZone: arg.string({
      defaultValue: 'UTC',
      required: true,
      description: 'The IANA time zone of the buckets, such as Asia/Kolkata.',
    }),
  };
}

/** The cost of this many ClickHouse queries, independent of the result size. */
export function reportCost(questions: number): { field: number; multiplier: number } {
  return { field: 1 + questions * QUESTION_POINTS, multiplier: 1 };
}

/** The cost of a page, which may take several ClickHouse queries to fill. */
export function reportPageCost(questions: number) {
  return (page: { first: number }): { field: number; multiplier: number } => ({
    field: reportCost(questions).field,
    multiplier: pageCost(page).multiplier,
  });
}

/** Parses stored JSON text. A number that a double cannot represent is rounded to the
 * nearest one. */
export function parsed(text: string): unknown {
  return text === '' ? null : JSON.parse(text);
}
