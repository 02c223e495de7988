// The objects that a workspace created at the payment gateway.

import type { EntityClass, FilterQuery } from '@mikro-orm/postgresql';
import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { type Listed, type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { GatewayLink } from './link.entity.ts';
import { GatewayOrder } from './order.entity.ts';
import { GatewayPlan } from './plan.entity.ts';
import { GatewayRefund } from './refund.entity.ts';
import { GatewaySubscription } from './subscription.entity.ts';
import { GatewayVendor } from './vendor.entity.ts';

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
  // The accounts that a workspace's payments can be in; they are listed so that the index is used.
  const accountId = [workspaceId, PLATFORM_ACCOUNT_ID];
  const where = { workspaceId, accountId: { $in: accountId }, cfPaymentId };
  return readPage(await context.read(), GatewayRefund, where, page);
}

/** The links by which organizations pay the platform. */
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
    const links = await em.find(GatewayLink, { id: [...ids] });
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
      const where = {
        id: [...ids],
        workspaceId: workspaceOf(context.viewer),
      } as unknown as FilterQuery<T>;
      return (await context.read()).find(entity, where);
    },
  };
}
