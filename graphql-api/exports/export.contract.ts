import { z } from 'zod';
import { parseInstant } from '../../schema/values/instant.ts';
import { requiredText } from '../../schema/values/text.ts';
import { time } from '../platform/rest/time.contract.ts';

const NAMES_MAX = 50;

const EXPORT_FORMATS = ['PARQUET', 'JSON_LINES'] as const;

const names = z
  .array(requiredText())
  .max(NAMES_MAX)
  .nullish()
  .meta({
    description:
      'The names of the events, pages and screens to export. If omitted, all events are exported.',
    example: ['Order Completed'],
  });

export const eventExportRequestContract = z.strictObject({
  range: z.object({ from: z.date(), to: z.date() }),
  names,
  format: z.enum(EXPORT_FORMATS),
});
export type EventExportRequest = z.output<typeof eventExportRequestContract>;

export const eventExportIdContract = z.strictObject({ id: z.uuid() });
export type EventExportId = z.output<typeof eventExportIdContract>;

// The same with REST's field names.

const instant = z.string().transform((value, context) => {
  const found = parseInstant(value);
  if (found !== undefined) return new Date(found.ms);
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time.' });
  return z.NEVER;
});

export const eventExportBody = z
  .strictObject({
    range: z.strictObject({ from: instant, to: instant }).meta({
      description:
        'The time range of the events to export, by `timestamp`. At most 92 days. `from` is included, but `to` is not.',
      example: { from: '2026-11-01T00:00:00Z', to: '2026-11-22T00:00:00Z' },
    }),
    names,
    format: z.enum(['parquet', 'json_lines']).meta({
      description: 'The format of the chunks.',
      example: 'parquet',
    }),
  })
  .meta({ id: 'EventExportRequest' });

export const eventExportResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    format: z.enum(['parquet', 'json_lines']).meta({ example: 'parquet' }),
    names: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          'The names of the exported events, pages and screens; null if all events are exported.',
        example: ['Order Completed'],
      }),
    range: z.object({ from: time, to: time }),
    received_before: time.meta({
      description:
        'The cutoff time: events received at or after this time are not included in the export.',
    }),
    state: z.enum(['waiting', 'running', 'completed', 'failed']).meta({ example: 'completed' }),
    fault: z.string().nullable().meta({
      description: 'The error code if the export failed; null otherwise.',
      example: null,
    }),
    days: z.int().meta({ description: 'The number of UTC days in the range.', example: 21 }),
    days_done: z.int().meta({
      description: 'The number of days whose chunks can be downloaded.',
      example: 21,
    }),
    chunks: z.int().meta({
      description: 'The number of chunks created so far. Chunks are numbered from 1.',
      example: 34,
    }),
    events: z.int().meta({
      description: 'The number of events in the chunks created so far.',
      example: 2_917_004,
    }),
    created_at: time,
    expires_at: time.meta({ description: 'When the export will be deleted.' }),
  })
  .meta({ id: 'EventExport' });
export type EventExportResource = z.output<typeof eventExportResource>;
