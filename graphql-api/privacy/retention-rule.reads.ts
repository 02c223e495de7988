import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { ask, QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { cutoffOf, firstRunAt } from './retention-cutoff.ts';
import type { RetentionRuleSet } from './retention-rule.contract.ts';
import { RetentionRule } from './retention-rule.entity.ts';
import { tablesOf } from './warehouse-tables.ts';

export const retentionRules = workspaceReads(RetentionRule);

/** The rows that a rule would delete in its first run. */
export type RetentionPreview = {
  readonly before: Date;
  /** Stored rows, which may contain copies that are not merged yet. */
  readonly rows: number;
  readonly days: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
};

export const PREVIEW_POINTS = QUESTION_POINTS;

export async function retentionPreview(
  context: Context,
  { dataset, keepDays }: RetentionRuleSet,
): Promise<RetentionPreview> {
  const before = cutoffOf(keepDays, firstRunAt(new Date(context.deps.clock.nowMs())));
  const byDay = tablesOf(dataset).map(
    ({ name, time }) => `SELECT toDate(${time}) AS day, count() AS stored FROM ${name}
      WHERE workspace_id = {workspaceId:UUID} AND ${isOlder(time)} GROUP BY day`,
  );
  const [row] = await ask<Omit<RetentionPreview, 'before'>>(
    context,
    `SELECT toUInt64(sum(stored)) AS rows, toUInt32(uniqExact(day)) AS days,
       if(rows = 0, NULL, toString(min(day))) AS first_day, if(rows = 0, NULL, toString(max(day))) AS last_day
     FROM (${byDay.join(' UNION ALL ')})`,
    { beforeMs: before.getTime() },
  );
  return { before, ...row! };
}

/** The condition on rows to delete, with the parameter `beforeMs`. */
export function isOlder(time: string): string {
  return `${time} < fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')`;
}
