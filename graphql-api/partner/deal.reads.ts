import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { ownReads, platformReads } from '../platform/database/entity-reads.ts';
import { reject } from '../platform/rejected.ts';
import type { DealStatus } from './agency.contract.ts';
import { AgencyDeal } from './deal.entity.ts';
import { DealProof } from './deal-proof.entity.ts';

export const agencyDeals = ownReads(AgencyDeal);
/** The deals of all agencies. */
export const platformDeals = platformReads(AgencyDeal);

/** The proofs of each deal, newest first. */
export async function proofsByDeals(context: Context, ids: readonly string[]) {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  return findProofs(await context.read(), ids, { organizationId });
}

/** The proofs of any agency's deals, for platform admins. */
export function platformProofsByDeals(context: Context, ids: readonly string[]) {
  return readAcrossTenants(context, em => findProofs(em, ids, {}));
}

async function findProofs(em: EntityManager, ids: readonly string[], owner: object) {
  const where = { dealId: { $in: [...ids] }, ...owner };
  const proofs = await em.find(DealProof, where, { orderBy: { createdAt: 'desc', id: 'desc' } });
  return ids.map(id => ({ id, proofs: proofs.filter(({ dealId }) => dealId === id) }));
}

/** Deals with this status at the current time, even if the job has not updated the row yet. */
export function withStatus(
  status: DealStatus | null | undefined,
  { deps }: Context,
): FilterQuery<AgencyDeal> {
  const now = new Date(deps.clock.nowMs());
  switch (status) {
    case null:
    case undefined:
      return {};
    case 'REGISTERED':
      return { status, proofDueAt: { $gte: now }, lockedUntil: { $gt: now } };
    case 'PROOF_SUBMITTED':
      return { status, lockedUntil: { $gt: now } };
    case 'EXPIRED':
      return {
        $or: [
          { status },
          { status: 'REGISTERED', proofDueAt: { $lt: now } },
          { status: { $in: ['REGISTERED', 'PROOF_SUBMITTED'] }, lockedUntil: { $lte: now } },
        ],
      };
    case 'WON':
    case 'LOST':
    case 'WITHDRAWN':
      return { status };
  }
}
