import { kysely } from '../../platform/database/kysely.ts';
import type { PlanFact } from '../facts/facts.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';

/** The gateway never changes a plan, so only one whose creation is unconfirmed gets its status. */
export async function applyPlan(
  { em, deps, accountId }: ApplyScope,
  { planId, status }: PlanFact,
): Promise<Applied> {
  const plan = await kysely(em)
    .updateTable('gateway_plans')
    .set({
      status,
      errorCode: null,
      errorMessage: null,
      updatedAt: new Date(deps.clock.nowMs()),
    })
    .where('accountId', '=', accountId)
    .where('planId', '=', planId)
    .where('status', '=', 'CREATING')
    .returning('workspaceId')
    .executeTakeFirst();
  return { kind: 'applied', workspaceId: plan?.workspaceId ?? null, effects: [] };
}
