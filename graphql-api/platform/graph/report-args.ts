// What the reports' fields have in common.

import type { ArgBuilder } from '@pothos/core';
import { QUESTION_POINTS } from '../warehouse/ask.ts';
import type { BucketSize } from '../warehouse/bucket-starts.ts';
import type { ReportRange } from '../warehouse/report-range.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { pageCost } from './connection.ts';

export const ReportRangeInput = builder.inputRef<ReportRange>('ReportRange').implement({
  description: 'A time from `from` up to, not including, `to`.',
  fields: t => ({
    from: t.field({ type: 'DateTime', required: true, description: 'Where it begins.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Where it ends.' }),
  }),
});

export const BucketSizeEnum = builder.enumType('BucketSize', {
  description: 'How long a bucket of a series is, by the clocks of its time zone.',
  values: {
    MINUTE: { value: 'minute' as BucketSize, description: 'For ranges of up to a day.' },
    HOUR: { value: 'hour' as BucketSize, description: 'For ranges of up to 31 days.' },
    DAY: { value: 'day' as BucketSize, description: 'From midnight to midnight.' },
  },
});

export const EventTypeEnum = builder.enumType('EventType', {
  description: 'What an SDK’s call was.',
  values: {
    TRACK: { value: 'track', description: 'Something happened.' },
    IDENTIFY: { value: 'identify', description: 'Who somebody is.' },
    PAGE: { value: 'page', description: 'A page of a website was seen.' },
    SCREEN: { value: 'screen', description: 'A screen of an app was seen.' },
    GROUP: { value: 'group', description: 'To whom somebody belongs.' },
    ALIAS: { value: 'alias', description: 'Two ids are one person’s.' },
  },
});

export function rangeArg(arg: ArgBuilder<SchemaTypes>, daysMax: number) {
  return arg({
    type: ReportRangeInput,
    required: true,
    description: `The time it is about: at most ${daysMax} days.`,
  });
}

export function bucketArgs(arg: ArgBuilder<SchemaTypes>) {
  return {
    bucket: arg({
      type: BucketSizeEnum,
      required: true,
      description: 'How long a bucket is.',
    }),
    timeZone: arg.string({
      defaultValue: 'UTC',
      required: true,
      description: 'Of the IANA database, such as Asia/Kolkata: whose hours and days are meant.',
    }),
  };
}

/** So many questions to ClickHouse, whatever comes back. */
export function reportCost(questions: number): { field: number; multiplier: number } {
  return { field: 1 + questions * QUESTION_POINTS, multiplier: 1 };
}

/** The same for a page, which may take a few to be filled. */
export function reportPageCost(questions: number) {
  return (page: { first: number }): { field: number; multiplier: number } => ({
    field: reportCost(questions).field,
    multiplier: pageCost(page).multiplier,
  });
}

/** Stored as an empty text, which is nothing. */
export function given(text: string): string | null {
  return text === '' ? null : text;
}

/** JSON text as stored; a number that a double can't hold is shown as the nearest that it can. */
export function parsed(text: string): unknown {
  return text === '' ? null : JSON.parse(text);
}
