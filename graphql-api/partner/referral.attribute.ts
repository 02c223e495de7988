import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import type { ReferralAttribute } from './referral.contract.ts';
import { requireOrganization } from './require-organization.ts';

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
  await requireOrganization(em, viewer.organizationId, null);
  const id = deps.newId();
  const now = new Date(deps.clock.nowMs());
  const [row] = await rowsOf(
    em,
    sql<{ outcome: Outcome }>`SELECT attribute_referral(${id}, ${code}, ${now}) AS outcome`,
  );
  const { outcome } = row!;
  if (outcome !== 'ATTRIBUTED' && outcome !== 'REPEAT') return reject(outcome, { field: ['code'] });
  if (outcome === 'ATTRIBUTED')
    await audit({
      action: 'referral.attribute',
      subjectId: id,
      workspaceId: null,
      after: { code },
    });
  const [relation] = await rowsOf(
    em,
    sql<{ code: string; createdAt: Date; currency: string }>`
      SELECT code, created_at, referral_currency(${DEFAULT_REGION}) AS currency
      FROM referee_relations WHERE referee_organization_id = ${viewer.organizationId}`,
  );
  const { createdAt, ...attribution } = relation!;
  return { ...attribution, attributedAt: createdAt.toISOString() };
}
