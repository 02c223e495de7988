import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';
import type { Dataset } from './warehouse-tables.ts';

export const RetentionRuleSchema = defineEntity({
  name: 'RetentionRule',
  tableName: 'retention_rules',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    dataset: p.text().$type<Dataset>(),
    keepDays: p.integer(),
    effectiveAt: instant(),
    createdBy: p.text(),
    createdAt: createdAt(),
    lastRunAt: instant().nullable(),
    deletedRows: p.bigint('bigint').default('0'),
  },
});

/** The number of days for which a workspace keeps its rows of one dataset. */
export class RetentionRule extends RetentionRuleSchema.class {}
RetentionRuleSchema.setClass(RetentionRule);
