// The bodies of REST requests, with REST's field names, as the inputs of the reports.

import { z } from 'zod';
import { parseInstant } from '../../schema/values/instant.ts';
import { PAGE_SIZE_MAX } from '../platform/database/page.ts';
import { EVENT_COLUMNS } from './event-match.ts';
import { MEASURES, type Measure } from './measure.ts';
import type { RetentionKind } from './retention.reads.ts';
import type { TrendRest } from './trend.reads.ts';

const TOP_DEFAULT = 10;
const PAGE_SIZE_DEFAULT = 50;

export const instant = z.string().transform((value, context) => {
  const found = parseInstant(value);
  if (found !== undefined) return new Date(found.ms);
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time.' });
  return z.NEVER;
});

const range = z.strictObject({ from: instant, to: instant }).meta({
  description: 'The time range of the report. `from` is included, but `to` is not.',
  example: { from: '2026-11-01T00:00:00Z', to: '2026-11-22T00:00:00Z' },
});

const timeZone = z.string().default('UTC').meta({
  description: 'The IANA time zone for the hours, days and weeks in the report.',
  example: 'Asia/Kolkata',
});

const property = z
  .strictObject({
    column: z.enum(EVENT_COLUMNS).nullish(),
    properties: z.array(z.string()).nullish(),
    context: z.array(z.string()).nullish(),
  })
  .meta({
    id: 'EventProperty',
    description:
      'A reference to a value in an event. Specify exactly one of `column`, `properties` and `context`. `properties` and `context` are paths of keys, starting at the outermost object.',
    example: { properties: ['plan'] },
  });

const filter = z
  .strictObject({
    property,
    equals: z.string().nullish(),
    in: z.array(z.string()).nullish(),
    exists: z.boolean().nullish(),
    greater_than: z.number().nullish(),
    at_least: z.number().nullish(),
    less_than: z.number().nullish(),
    at_most: z.number().nullish(),
  })
  .transform(({ greater_than, at_least, less_than, at_most, ...same }) => ({
    ...same,
    greaterThan: greater_than,
    atLeast: at_least,
    lessThan: less_than,
    atMost: at_most,
  }));

export const eventMatch = z
  .strictObject({ name: z.string().nullish(), filters: z.array(filter).nullish() })
  .meta({
    id: 'EventMatch',
    description:
      'Selects events by the name of the event, page or screen (any name if omitted) and by filters, all of which must match.',
    example: { name: 'Order Completed' },
  });

const top = z.int().default(TOP_DEFAULT).meta({
  description: 'The number of breakdown values that get their own line.',
  example: 5,
});

/** In the form of an enum in REST. */
const lowerCase = <Value extends string>(values: readonly Value[]) =>
  z.enum(values.map(value => value.toLowerCase()) as [string, ...string[]]);

export const trendsBody = z
  .strictObject({
    range,
    bucket: z.enum(['hour', 'day', 'week']).meta({
      description: 'The length of a bucket. Weeks begin on Monday.',
      example: 'day',
    }),
    time_zone: timeZone,
    series: z
      .array(
        z.strictObject({
          event: eventMatch,
          measure: lowerCase(Object.keys(MEASURES) as Measure[]).default('count'),
          number: property.nullish(),
        }),
      )
      .meta({
        description:
          'The series, each with a measure. `number` refers to the number to measure, in `properties` or `context`. It is required for all measures except `count` and `people`, which do not accept it.',
        example: [
          {
            event: { name: 'Order Completed' },
            measure: 'sum',
            number: { properties: ['total'] },
          },
        ],
      }),
    breakdowns: z
      .array(property)
      .nullish()
      .meta({
        description: 'Groups each series by the values of these properties.',
        example: [{ properties: ['plan'] }],
      }),
    top,
    rest: lowerCase<TrendRest>(['OTHER', 'OMITTED']).default('other').meta({
      description: 'Whether the other breakdown values share one line or are omitted.',
      example: 'other',
    }),
    is_compared: z.boolean().default(false).meta({
      description: 'Whether to also measure the previous period of the same length.',
      example: true,
    }),
  })
  .meta({ id: 'TrendsQuery' });

export const retentionBody = z
  .strictObject({
    range,
    period: z.enum(['day', 'week']).meta({
      description: 'The length of a period. Weeks begin on Monday.',
      example: 'week',
    }),
    time_zone: timeZone,
    first_event: eventMatch,
    returning_event: eventMatch,
    kind: lowerCase<RetentionKind>(['FIRST_TIME', 'RECURRING']).default('first_time').meta({
      description:
        'The rule that assigns people to cohorts. `first_time`: each person belongs only to the cohort of their first period within the range. `recurring`: each person belongs to the cohort of every period in which they have a matching event.',
      example: 'first_time',
    }),
  })
  .meta({
    id: 'RetentionQuery',
    example: {
      range: { from: '2026-10-05T00:00:00Z', to: '2026-11-02T00:00:00Z' },
      period: 'week',
      time_zone: 'Asia/Kolkata',
      first_event: { name: 'Signed Up' },
      returning_event: { name: 'Order Completed' },
    },
  });

const attempts = {
  range,
  steps: z.array(eventMatch).meta({
    description: 'The steps, in order.',
    example: [{ name: 'Product Viewed' }, { name: 'Cart Updated' }, { name: 'Order Completed' }],
  }),
  window_seconds: z.int().meta({
    description: 'The maximum time from the first step to the last, in seconds.',
    example: 86_400,
  }),
  exclusions: z.array(eventMatch).nullish().meta({
    description: 'Events that must not occur between two consecutive steps.',
    example: [],
  }),
};

export const funnelBody = z
  .strictObject({
    ...attempts,
    breakdown: property.nullish().meta({ example: { context: ['page', 'url'] } }),
    top,
  })
  .meta({ id: 'FunnelQuery' });

export const funnelDropOffsBody = z
  .strictObject({
    ...attempts,
    step: z.int().meta({
      description:
        'The number of the last step that the people reached. The first step is number 1.',
      example: 1,
    }),
    limit: z.int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT).meta({
      description: 'The maximum number of people to return.',
      example: 20,
    }),
    cursor: z.string().min(1).nullish().meta({
      description: 'The `next_cursor` of the previous page.',
    }),
  })
  .meta({ id: 'FunnelDropOffsQuery' });
