import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { reject } from '../platform/rejected.ts';
import { AgencyDeal, type DealStatus } from './deal.entity.ts';
import { DealProof } from './deal-proof.entity.ts';

export type DealFilter = {
  /** The status at the current time, even if the job has not updated the row yet. */
  readonly status?: DealStatus | null | undefined;
  readonly organizationId?: string | undefined;
};

export async function agencyDealsPage(
  context: Context,
  page: PageRequest,
  { status }: Pick<DealFilter, 'status'> = {},
): Promise<Page<AgencyDeal>> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const where = { $and: [{ organizationId }, statusCondition(status, context)] };
  return readPage(await context.read(), AgencyDeal, where, page);
}

export async function agencyDealsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly AgencyDeal[]> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const em = await context.read();
  return em.find(AgencyDeal, { id: { $in: [...ids] }, organizationId });
}

/** The deals of all agencies, for platform admins. */
export async function platformDealsPage(
  context: Context,
  page: PageRequest,
  { status, organizationId }: DealFilter,
): Promise<Page<AgencyDeal>> {
  const where = {
    $and: [organizationId ? { organizationId } : {}, statusCondition(status, context)],
  };
  return readAcrossTenants(context, em => readPage(em, AgencyDeal, where, page));
}

export async function platformDealsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly AgencyDeal[]> {
  return readAcrossTenants(context, em => em.find(AgencyDeal, { id: { $in: [...ids] } }));
}

export type DealProofs = { readonly id: string; readonly proofs: readonly DealProof[] };

/** The proofs of each deal, newest first. */
export async function proofsByDeals(
  context: Context,
  ids: readonly string[],
): Promise<readonly DealProofs[]> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const em = await context.read();
  const where = { dealId: { $in: [...ids] }, organizationId };
  return grouped(ids, await em.find(DealProof, where, LAST_FIRST));
}

/** The proofs of any agency's deals, for platform admins. */
export async function platformProofsByDeals(
  context: Context,
  ids: readonly string[],
): Promise<readonly DealProofs[]> {
  const where = { dealId: { $in: [...ids] } };
  return grouped(
    ids,
    await readAcrossTenants(context, em => em.find(DealProof, where, LAST_FIRST)),
  );
}

const LAST_FIRST = { orderBy: { createdAt: 'desc', id: 'desc' } } as const;

function grouped(ids: readonly string[], proofs: readonly DealProof[]): DealProofs[] {
  return ids.map(id => ({ id, proofs: proofs.filter(({ dealId }) => dealId === id) }));
}

function statusCondition(
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
