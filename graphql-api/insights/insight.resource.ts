// The results of reports in REST.

import { z } from 'zod';

const time = z.iso.datetime().meta({ example: '2026-11-21T00:00:00.000Z' });
const sql = z.string().meta({
  description: 'The ClickHouse statement that computed this report, with its parameters.',
  example: 'SELECT …',
});
const measured = z.number().nullable();

export const trendsResource = z
  .object({
    bucket_starts: z.array(time),
    previous_bucket_starts: z.array(time).nullable(),
    lines: z.array(
      z.object({
        series: z
          .int()
          .meta({ description: 'The position of the series in the input, starting at 0.' }),
        values: z
          .array(z.string().nullable())
          .meta({ description: 'The breakdown values of the line, one per breakdown.' }),
        is_rest: z.boolean(),
        total: measured,
        points: z.array(measured).meta({
          description:
            'The value of the measure in each bucket, in the same order as `bucket_starts`.',
        }),
        previous_total: measured,
        previous_points: z.array(measured).nullable(),
      }),
    ),
    sql,
  })
  .meta({ id: 'Trends' });

export const retentionResource = z
  .object({
    cohorts: z.array(
      z.object({
        start: time,
        people: z.int(),
        returned: z.array(z.int()).meta({
          description:
            'The number of people who returned in each period, from the cohort’s own period to the last period.',
        }),
      }),
    ),
    sql,
  })
  .meta({ id: 'Retention' });

export const funnelResource = z
  .object({
    lines: z.array(
      z.object({
        value: z.string().nullable(),
        is_rest: z.boolean(),
        steps: z.array(
          z.object({
            step: z.int(),
            people: z.int(),
            conversion_from_first: measured,
            conversion_from_previous: measured,
            median_seconds_from_previous: measured,
          }),
        ),
      }),
    ),
    sql,
  })
  .meta({ id: 'Funnel' });

export const funnelDropOffsResource = z.object({
  status: z.literal('SUCCESS'),
  items: z.array(z.string()).meta({ description: 'The user IDs or anonymous IDs of the people.' }),
  next_cursor: z.string().nullable().meta({
    description: 'The `cursor` of the next page; null on the last page.',
    example: null,
  }),
  sql,
});
