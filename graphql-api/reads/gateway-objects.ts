// What a workspace made at the payment gateway, as it is known here.

import type { EntityClass, FilterQuery } from '@mikro-orm/postgresql';
import { GatewayLink } from '../../schema/entities/gateway-link.ts';
import { GatewayOrder } from '../../schema/entities/gateway-order.ts';
import { GatewayPlan } from '../../schema/entities/gateway-plan.ts';
import { GatewayRefund } from '../../schema/entities/gateway-refund.ts';
import { GatewaySubscription } from '../../schema/entities/gateway-subscription.ts';
import { GatewayVendor } from '../../schema/entities/gateway-vendor.ts';
import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';
import { workspaceOf } from '../access/permit.ts';
import type { Context } from '../context.ts';
import { findRows, type Where } from '../database/find-rows.ts';
import { readAcrossTenants } from './across-tenants.ts';
import { type Listed, type Page, type PageRequest, readPage } from './page.ts';

export const gatewayLinks = readsOf(GatewayLink);
export const gatewayOrders = readsOf(GatewayOrder);
export const gatewayPlans = readsOf(GatewayPlan);
export const gatewaySubscriptions = readsOf(GatewaySubscription);
export const gatewayVendors = readsOf(GatewayVendor);
export const gatewayRefunds = readsOf(GatewayRefund);

export async function gatewayRefundsPage(
  context: Context,
  page: PageRequest,
  cfPaymentId?: string,
): Promise<Page<GatewayRefund>> {
  if (cfPaymentId === undefined) return gatewayRefunds.page(context, page);
  const workspaceId = workspaceOf(context.viewer);
  // Named for the index: these are the accounts that a workspace's payments can be in.
  const accountId = [workspaceId, PLATFORM_ACCOUNT_ID];
  const where = { workspaceId, accountId: { $in: accountId }, cfPaymentId };
  return readPage(await context.read(), GatewayRefund, where, page);
}

/** By which organisations pay the platform. */
export function billingLinksPage(
  context: Context,
  page: PageRequest,
  payerOrganizationId: string | undefined,
): Promise<Page<GatewayLink>> {
  const payer = payerOrganizationId ?? { $ne: null };
  return readAcrossTenants(context, em =>
    readPage(em, GatewayLink, { payerOrganizationId: payer }, page),
  );
}

export function billingLinksByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly GatewayLink[]> {
  return readAcrossTenants(context, async em => {
    const links = await findRows(em, GatewayLink, { id: ids });
    return links.filter(link => link.payerOrganizationId != null);
  });
}

function readsOf<T extends Listed & { readonly workspaceId?: string | null | undefined }>(
  entity: EntityClass<T>,
) {
  return {
    page: async (context: Context, page: PageRequest): Promise<Page<T>> => {
      const where = { workspaceId: workspaceOf(context.viewer) } as FilterQuery<T>;
      return readPage(await context.read(), entity, where, page);
    },
    byIds: async (context: Context, ids: readonly string[]): Promise<readonly T[]> => {
      const where = { id: ids, workspaceId: workspaceOf(context.viewer) } as unknown as Where<T>;
      return findRows(await context.read(), entity, where);
    },
  };
}
