// What platform admins see of everybody's money.

import type { EntityClass, FilterQuery } from '@mikro-orm/postgresql';
import { Earning } from '../../schema/entities/earning.ts';
import { Payout } from '../../schema/entities/payout.ts';
import type { Context } from '../context.ts';
import { type Discrepancy, reconcile } from '../ledger/reconcile.ts';
import { readAcrossTenants } from './across-tenants.ts';
import { type Listed, type Page, type PageRequest, readPage } from './page.ts';

export const platformEarningsPage = pageOf(Earning);
export const platformEarningsByIds = byIdsOf(Earning);
export const platformPayoutsPage = pageOf(Payout);
export const platformPayoutsByIds = byIdsOf(Payout);

/** Empty where the ledger, and what its postings are about, agree. */
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
