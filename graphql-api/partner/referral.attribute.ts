import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import type { ReferralAttribute } from './referral.contract.ts';
import { requireOrganization } from './referral.ensure-code.ts';

export type Attributed = {
  readonly code: string;
  /** ISO 8601. */
  readonly attributedAt: string;
  /**
   * The currency in which payments earn the referrer a reward. Payments in other currencies are
   * accepted but earn nothing.
   */
  readonly currency: string;
};

type Outcome =
  | 'ATTRIBUTED'
  | 'REPEAT'
  | 'REFERRAL_CODE_UNKNOWN'
  | 'SELF_REFERRAL'
  | 'ATTRIBUTION_CLOSED';

/**
 * Attributes the viewer's organization to a referral code when onboarding completes. The first
 * valid code is final: later requests return the first attribution.
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
