// Payments, disputes, settlements and effects of a workspace, as reported by the gateway.

import type { EntityClass, FilterQuery } from '@mikro-orm/postgresql';
import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';
import type { Context } from '../platform/context.ts';
import { type Listed, type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { GatewayDispute } from './dispute.entity.ts';
import { GatewayEffect } from './effect.entity.ts';
import { GatewayPayment } from './payment.entity.ts';
import { GatewaySettlement } from './settlement.entity.ts';

export const gatewayPaymentsPage = pageOf(GatewayPayment);
export const gatewayDisputesPage = pageOf(GatewayDispute);
export const gatewaySettlementsPage = pageOf(GatewaySettlement);

/** All effects, or only those that one event reported first. */
export async function gatewayEffectsPage(
  context: Context,
  page: PageRequest,
  eventId?: string,
): Promise<Page<GatewayEffect>> {
  const workspaceId = workspaceOf(context.viewer);
  const where = { workspaceId, ...(eventId !== undefined && { eventId }) };
  return readPage(await context.read(), GatewayEffect, where, page);
}

/**
 * Finds a payment by the gateway's ID. If two accounts have the same ID, the workspace's own
 * account has precedence.
 */
export async function gatewayPaymentById(
  context: Context,
  cfPaymentId: string,
): Promise<GatewayPayment | undefined> {
  const workspaceId = workspaceOf(context.viewer);
  const accountId = [workspaceId, PLATFORM_ACCOUNT_ID];
  const where = { accountId, cfPaymentId, workspaceId };
  const payments = await (await context.read()).find(GatewayPayment, where);
  return payments.find(payment => payment.accountId === workspaceId) ?? payments[0];
}

function pageOf<T extends Listed>(entity: EntityClass<T>) {
  return async (context: Context, page: PageRequest): Promise<Page<T>> => {
    const where = { workspaceId: workspaceOf(context.viewer) } as unknown as FilterQuery<T>;
    return readPage(await context.read(), entity, where, page);
  };
}
