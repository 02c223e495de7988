// The objects that a workspace created at the payment gateway, and those that the gateway reported
// to it.

import type { EntityClass, FilterQuery } from '@mikro-orm/postgresql';
import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { type Listed, type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { GatewayDispute } from './dispute.entity.ts';
import { GatewayEffect } from './effect.entity.ts';
import { GatewayLink } from './link.entity.ts';
import { GatewayOrder } from './order.entity.ts';
import { GatewayPayment } from './payment.entity.ts';
import { GatewayPlan } from './plan.entity.ts';
import { GatewayRefund } from './refund.entity.ts';
import { GatewaySettlement } from './settlement.entity.ts';
import { GatewaySubscription } from './subscription.entity.ts';
import { GatewayVendor } from './vendor.entity.ts';

export const gatewayLinks = readsOf(GatewayLink);
export const gatewayOrders = readsOf(GatewayOrder);
export const gatewayPlans = readsOf(GatewayPlan);
export const gatewaySubscriptions = readsOf(GatewaySubscription);
export const gatewayVendors = readsOf(GatewayVendor);
export const gatewayRefunds = readsOf(GatewayRefund);
export const gatewayPayments = readsOf(GatewayPayment);
export const gatewayDisputes = readsOf(GatewayDispute);
export const gatewaySettlements = readsOf(GatewaySettlement);
export const gatewayEffects = readsOf(GatewayEffect);

/**
 * The accounts that a workspace's payments can be in. Filters list them so that the index is used.
 */
export function accountsOf({ viewer }: Context): string[] {
  return [workspaceOf(viewer), PLATFORM_ACCOUNT_ID];
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
  const where = { id: [...ids], payerOrganizationId: { $ne: null } };
  return readAcrossTenants(context, em => em.find(GatewayLink, where));
}

function readsOf<T extends Listed & { readonly workspaceId?: string | null | undefined }>(
  entity: EntityClass<T>,
) {
  return {
    page: async (context: Context, page: PageRequest, filter: object = {}): Promise<Page<T>> => {
      const where = { ...filter, workspaceId: workspaceOf(context.viewer) } as FilterQuery<T>;
      return readPage(await context.read(), entity, where, page);
    },
    byIds: async (context: Context, ids: readonly string[]): Promise<readonly T[]> => {
      const where = { id: [...ids], workspaceId: workspaceOf(context.viewer) };
      return (await context.read()).find(entity, where as unknown as FilterQuery<T>);
    },
  };
}
