// The payouts, earnings, redemptions, conversions and wallet of the viewer's organization.

import type { EntityClass, FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { type Listed, type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { reject } from '../platform/rejected.ts';
import { Conversion } from './conversion.entity.ts';
import { Earning } from './earning.entity.ts';
import { Payout } from './payout.entity.ts';
import { type PendingSchedule, pendingSchedule } from './pending-schedule.reads.ts';
import { Redemption } from './redemption.entity.ts';
import {
  type WalletTransaction,
  type WalletTransactionFilter,
  walletTransactions,
  walletTransactionsByIds,
} from './transaction.reads.ts';
import { type WalletView, walletOf } from './wallet.reads.ts';

export async function ownWallet(context: Context): Promise<WalletView> {
  const nowMs = context.deps.clock.nowMs();
  return walletOf(await context.read(), { organizationId: organizationOf(context), nowMs });
}

export async function ownSchedule(context: Context): Promise<PendingSchedule> {
  const nowMs = context.deps.clock.nowMs();
  return pendingSchedule(await context.read(), { organizationId: organizationOf(context), nowMs });
}

export async function transactionsPage(
  context: Context,
  page: PageRequest,
  filter: WalletTransactionFilter,
): Promise<Page<WalletTransaction>> {
  return walletTransactions(await context.read(), organizationOf(context), filter, page);
}

export async function transactionsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly WalletTransaction[]> {
  return walletTransactionsByIds(await context.read(), organizationOf(context), ids);
}

export const earnings = readsOf(Earning);
export const redemptions = readsOf(Redemption);
export const conversions = readsOf(Conversion);
export const payouts = readsOf(Payout);

/** The list and lookup shared by all entities that belong to one organization. */
function readsOf<T extends Listed & { readonly organizationId: string }>(entity: EntityClass<T>) {
  return {
    page: async (
      context: Context,
      page: PageRequest,
      filter: Readonly<Record<string, unknown>> = {},
    ): Promise<Page<T>> => {
      const where = { ...filter, organizationId: organizationOf(context) } as FilterQuery<T>;
      return readPage(await context.read(), entity, where, page);
    },
    byIds: async (context: Context, ids: readonly string[]): Promise<readonly T[]> => {
      const organizationId = organizationOf(context);
      const where = { id: { $in: [...ids] }, organizationId } as unknown as FilterQuery<T>;
      const found = await (await context.read()).find(entity, where);
      return found as unknown as readonly T[];
    },
  };
}

function organizationOf({ viewer }: Context): string {
  return (viewer ?? reject('UNAUTHENTICATED')).organizationId;
}
