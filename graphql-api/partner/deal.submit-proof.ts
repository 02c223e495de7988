import { countOf } from '../platform/database/count-of.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { DealSubmitProof } from './agency.contract.ts';
import { lockDeal, refuseStatus } from './deal.lock.ts';
import { isOpen } from './deal-clock.ts';
import { DealProof } from './deal-proof.entity.ts';

/** More than three proofs per day until the deadline. */
const PROOFS_MAX = 50;

/** Submits a proof that the viewer's agency is working on a deal. The newest proof counts. */
export async function dealSubmitProof(
  scope: ActionScope,
  input: DealSubmitProof,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const locked = await lockDeal(scope, input.id, viewer.organizationId);
  const { deal, state } = locked;
  const now = new Date(deps.clock.nowMs());
  const isClosed = !isOpen(state.status) && state.status !== 'EXPIRED';
  if (isClosed) return refuseStatus(locked, 'it accepts no more proofs.');
  if (state.status === 'EXPIRED' || now > deal.proofDueAt) return reject('PROOF_DEADLINE_PASSED');
  if ((await countOf(em, DealProof, { dealId: deal.id })) >= PROOFS_MAX)
    return refuseStatus(locked, `it has reached its maximum of ${PROOFS_MAX} proofs.`);
  const proofId = deps.newId();
  await em.insert(DealProof, {
    id: proofId,
    dealId: deal.id,
    organizationId: deal.organizationId,
    proofType: input.proofType,
    documentUrl: input.proofDocumentUrl,
    notes: input.notes ?? '',
    createdBy: viewer.userId,
    createdAt: now,
  });
  await em.execute(`UPDATE agency_deals SET status = 'PROOF_SUBMITTED' WHERE id = ?`, [deal.id]);
  await audit({
    action: 'agency_deal.proof',
    subjectType: 'agency_deal',
    subjectId: deal.id,
    workspaceId: null,
    before: { status: state.status },
    after: { status: 'PROOF_SUBMITTED', proofType: input.proofType },
  });
  return { id: deal.id };
}
