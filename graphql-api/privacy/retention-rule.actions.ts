import { lockInWorkspace } from '../platform/change-entity.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { effectiveAt } from './retention-cutoff.ts';
import type { RetentionRuleRemove, RetentionRuleSet } from './retention-rule.contract.ts';
import { RetentionRule } from './retention-rule.entity.ts';

/**
 * Sets or replaces the rule of a dataset. No rows are deleted for a day, not even under the
 * replaced rule.
 */
export async function retentionRuleSet(
  scope: ActionScope,
  { dataset, keepDays }: RetentionRuleSet,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `retention rules of ${workspaceId}`);
  const known = await em.findOne(RetentionRule, { workspaceId, dataset });
  if (known?.keepDays === keepDays) return { id: known.id };
  const now = new Date(deps.clock.nowMs());
  const changes = { keepDays, effectiveAt: effectiveAt(now), createdBy: viewer.userId };
  const id = known?.id ?? deps.newId();
  const before = known && { keepDays: known.keepDays };
  if (known === null)
    await em.insert(RetentionRule, { id, workspaceId, dataset, createdAt: now, ...changes });
  else {
    Object.assign(known, changes);
    await em.flush();
  }
  await audit({
    action: 'retention_rule.set',
    subjectId: id,
    ...(before && { before }),
    after: { dataset, keepDays, effectiveAt: changes.effectiveAt.toISOString() },
  });
  return { id };
}

/**
 * Removes a rule, so that all rows are kept: cancels one that is not effective yet, or ends one.
 */
export async function retentionRuleRemove(
  scope: ActionScope,
  { id }: RetentionRuleRemove,
): Promise<{ readonly id: string }> {
  const rule = await lockInWorkspace(scope, RetentionRule, id, 'rule');
  const { workspaceId, dataset, keepDays } = rule;
  await scope.em.nativeDelete(RetentionRule, { id, workspaceId });
  await scope.audit({
    action: 'retention_rule.remove',
    subjectId: id,
    before: { dataset, keepDays },
  });
  return { id };
}
