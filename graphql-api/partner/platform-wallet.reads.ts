// Earnings, payouts and ledger checks across organizations, for platform admins.

import type { EntityClass, FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { type Listed, type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { Earning } from './earning.entity.ts';
import { type Discrepancy, reconcile } from './ledger/reconcile.ts';
import { Payout } from './payout.entity.ts';

export const platformEarningsPage = pageOf(Earning);
export const platformEarningsByIds = byIdsOf(Earning);
export const platformPayoutsPage = pageOf(Payout);
export const platformPayoutsByIds = byIdsOf(Payout);

/** Empty if the ledger matches the records that its postings refer to. */
export function discrepancies(
  context: Context,
  organizationId?: string,
): Promise<readonly Discrepancy[]> {
  return readAcrossTenants(context, em => reconcile(em, organizationId));
}

function pageOf<T extends Listed>(entity: EntityClass<T>) {
  return (
    context: Context,
    page: PageRequest,
    filter: Readonly<Record<string, unknown>>,
  ): Promise<Page<T>> =>
    readAcrossTenants(context, em => readPage(em, entity, filter as FilterQuery<T>, page));
}

function byIdsOf<T extends Listed>(entity: EntityClass<T>) {
  return (context: Context, ids: readonly string[]): Promise<readonly T[]> =>
    readAcrossTenants(context, async em => {
      const found = await em.find(entity, { id: { $in: [...ids] } } as unknown as FilterQuery<T>);
      return found as unknown as readonly T[];
    });
}
