import { recordChange } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import { kysely, type RowOf, rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { cutoffOf, RUN_SCHEDULE } from './retention-cutoff.ts';
import { isOlder } from './retention-rule.reads.ts';
import { tablesOf } from './warehouse-tables.ts';

type Rule = RowOf<'retention_rules'> & { readonly organizationId: string };

/** Each rule rewrites the parts that contain old rows. */
const TIMEOUT_SECONDS = 6 * 60 * 60;

/**
 * Deletes the rows that are older than the retention rules of their workspace allow. Safe to
 * repeat.
 */
export const enforceRetention = defineJob({
  name: 'enforce-retention',
  schedule: RUN_SCHEDULE,
  data: scheduledData,
  timeoutSeconds: TIMEOUT_SECONDS,
  async run(context, _data, signal) {
    const now = new Date(context.deps.clock.nowMs());
    const rules = await effectiveRules(context, now);
    const failures: unknown[] = [];
    let deleted = 0;
    for (const rule of rules) {
      signal.throwIfAborted();
      // A cell that is not available must not stop the others.
      try {
        deleted += await enforce(context, rule, now, signal);
      } catch (error) {
        failures.push(error);
      }
    }
    context.note({ rules: rules.length, deletedRows: deleted, failedRules: failures.length });
    if (failures.length > 0)
      throw new AggregateError(failures, 'some retention rules were not enforced');
  },
});

async function effectiveRules({ deps }: Context, now: Date): Promise<Rule[]> {
  return deps.database.asSystem(em =>
    rowsOf(
      em,
      sql<Rule>`
        SELECT rule.*, workspaces.organization_id FROM retention_rules AS rule
        JOIN workspaces ON workspaces.id = rule.workspace_id
        WHERE rule.effective_at <= ${now} ORDER BY rule.id`,
    ),
  );
}

/** The number of deleted rows. */
async function enforce(
  context: Context,
  rule: Rule,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const { organizationId, workspaceId, dataset, keepDays } = rule;
  const { warehouses } = context.deps;
  const copies = await warehouses.copies(organizationId, workspaceId, signal);
  const parameters = { beforeMs: cutoffOf(keepDays, now).getTime() };
  let deleted = 0;
  for (const [at, warehouse] of copies.entries())
    for (const { name, time } of tablesOf(dataset)) {
      const [counted] = await warehouse.rows<{ old: number }>(
        `SELECT count() AS old FROM ${name} WHERE workspace_id = {workspaceId:UUID} AND ${isOlder(time)}`,
        parameters,
      );
      const old = Number(counted?.old ?? 0);
      // A mutation writes even if it matches nothing.
      if (old > 0) await warehouse.remove(name, isOlder(time), parameters);
      // The workspace's own cell is the first.
      if (at === 0) deleted += old;
    }
  await record(context, rule, now, deleted);
  return deleted;
}

async function record(
  { deps, requestId }: Context,
  { id, organizationId, workspaceId, dataset, keepDays, createdBy }: Rule,
  now: Date,
  deleted: number,
): Promise<void> {
  const viewer = { userId: createdBy, organizationId, workspaceId, roles: new Set<never>() };
  await deps.database.asTenant(organizationId, async em => {
    await kysely(em)
      .updateTable('retention_rules')
      .set(({ eb }) => ({ lastRunAt: now, deletedRows: eb('deletedRows', '+', BigInt(deleted)) }))
      .where('id', '=', id)
      .where('workspaceId', '=', workspaceId)
      .execute();
    if (deleted === 0) return;
    await recordChange(
      { em, viewer, deps, requestId },
      {
        action: 'retention_rule.enforce',
        subjectId: id,
        after: { dataset, keepDays, deleted },
      },
    );
  });
}
