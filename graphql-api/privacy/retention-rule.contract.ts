import { z } from 'zod';
import { time } from '../platform/rest/time.contract.ts';
import { wholeNumber } from '../platform/whole-number.contract.ts';
import { type Dataset, WAREHOUSE_TABLES } from './warehouse-tables.ts';

/** Ten years. */
export const KEEP_DAYS_MAX = 3_650;

const DATASETS = [...new Set(WAREHOUSE_TABLES.map(({ dataset }) => dataset))] as [
  Dataset,
  ...Dataset[],
];

export const retentionRuleSetContract = z.strictObject({
  dataset: z.enum(DATASETS),
  keepDays: wholeNumber(1, KEEP_DAYS_MAX),
});
export type RetentionRuleSet = z.output<typeof retentionRuleSetContract>;

export const retentionRuleRemoveContract = z.strictObject({ id: z.uuid() });
export type RetentionRuleRemove = z.output<typeof retentionRuleRemoveContract>;

const dataset = z.enum(DATASETS).meta({ example: 'EVENTS' });
const keepDays = retentionRuleSetContract.shape.keepDays.meta({ example: 365 });

export const retentionRuleBody = z
  .strictObject({ dataset, keep_days: keepDays })
  .meta({ id: 'RetentionRuleInput' });

export const retentionRuleResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    dataset,
    keep_days: z.int().meta({ example: 365 }),
    effective_at: time.meta({ description: 'When the rule starts to delete rows.' }),
    created_at: time,
    last_run_at: time.nullable().meta({ example: null }),
    deleted_rows: z.number().meta({ example: 0 }),
  })
  .meta({ id: 'RetentionRule' });

export const retentionPreviewResource = z
  .object({
    before: time.meta({ description: 'Rows from before this time would be deleted.' }),
    rows: z.number().meta({ example: 1200 }),
    days: z
      .int()
      .meta({ description: 'The number of days with rows that would be deleted.', example: 3 }),
    first_day: z.iso.date().nullable().meta({ example: '2025-01-01' }),
    last_day: z.iso.date().nullable().meta({ example: '2025-01-03' }),
  })
  .meta({ id: 'RetentionPreview' });
