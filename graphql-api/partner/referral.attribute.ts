import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import type { ReferralAttribute } from './referral.contract.ts';
import { requireOrganization } from './referral.ensure-code.ts';

export type Attributed = {
  readonly code: string;
  /** ISO 8601. */
  readonly attributedAt: string;
  /** What to pay in for the referrer to earn: payments in others are taken, and earn nothing. */
  readonly currency: string;
};

type Outcome =
  | 'ATTRIBUTED'
  | 'REPEAT'
  | 'REFERRAL_CODE_UNKNOWN'
  | 'SELF_REFERRAL'
  | 'ATTRIBUTION_CLOSED';

/**
 * At the end of its onboarding, the viewer's organisation says by whose code it came. The first valid
 * code wins: whatever is said later gets the same answer as then.
 */
export async function attributeReferral(
  { em, viewer, deps, audit }: ActionScope,
  { code }: ReferralAttribute,
): Promise<Attributed> {
  await requireOrganization(em, viewer.organizationId);
  const id = deps.newId();
  const now = new Date(deps.clock.nowMs()).toISOString();
  const [row] = await em.execute<{ outcome: Outcome }[]>(
    'SELECT attribute_referral(?, ?, ?) AS outcome',
    [id, code, now],
  );
  const { outcome } = row!;
  if (outcome !== 'ATTRIBUTED' && outcome !== 'REPEAT') return reject(outcome, { field: ['code'] });
  if (outcome === 'ATTRIBUTED')
    await audit({
      action: 'referral.attribute',
      subjectType: 'referral',
      subjectId: id,
      workspaceId: null,
      after: { code },
    });
  const [relation] = await em.execute<{ code: string; createdAt: string; currency: string }[]>(
    `SELECT code, created_at AS "createdAt", referral_currency(?) AS currency
     FROM referee_relations WHERE referee_organization_id = ?`,
    [DEFAULT_REGION, viewer.organizationId],
  );
  return {
    code: relation!.code,
    attributedAt: new Date(relation!.createdAt).toISOString(),
    currency: relation!.currency,
  };
}
