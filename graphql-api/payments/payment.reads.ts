// Payments, and what belongs to one.

import type { EntityClass, FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import type { GatewayDispute } from './dispute.entity.ts';
import type { GatewayEffect } from './effect.entity.ts';
import { GatewayLink } from './link.entity.ts';
import {
  accountsOf,
  gatewayDisputes,
  gatewayEffects,
  gatewayPayments,
  gatewayRefunds,
} from './object.reads.ts';
import { GatewayOrder } from './order.entity.ts';
import { GatewayPayment } from './payment.entity.ts';
import { type GatewayPaymentFilter, paymentCondition } from './payment.filter.ts';
import type { GatewayRefund } from './refund.entity.ts';
import { GatewaySubscription } from './subscription.entity.ts';

export async function gatewayPaymentsPage(
  context: Context,
  page: PageRequest,
  filter: GatewayPaymentFilter,
): Promise<Page<GatewayPayment>> {
  return gatewayPayments.page(context, page, await paymentCondition(context, filter));
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
  const where = { accountId: accountsOf(context), cfPaymentId, workspaceId };
  const payments = await (await context.read()).find(GatewayPayment, where);
  return payments.find(payment => payment.accountId === workspaceId) ?? payments[0];
}

export const ordersOfPayments = readsByMintedId(GatewayOrder, 'orderId');
export const linksOfPayments = readsByMintedId(GatewayLink, 'linkId');
export const subscriptionsOfPayments = readsByMintedId(GatewaySubscription, 'subscriptionId');

/** A payment names its order, link and subscription by the IDs that we gave them. */
function readsByMintedId<T extends object>(entity: EntityClass<T>, name: keyof T & string) {
  return async (context: Context, ids: readonly string[]): Promise<readonly T[]> => {
    const workspaceId = workspaceOf(context.viewer);
    const where = { accountId: accountsOf(context), [name]: [...ids], workspaceId };
    return (await context.read()).find(entity, where as unknown as FilterQuery<NoInfer<T>>);
  };
}

type GatewayRefundFilter = {
  readonly paymentId?: string | null | undefined;
  readonly orderId?: string | null | undefined;
};

export function gatewayRefundsPage(
  context: Context,
  page: PageRequest,
  { paymentId, orderId }: GatewayRefundFilter,
): Promise<Page<GatewayRefund>> {
  return gatewayRefunds.page(context, page, {
    ...ofPayment(context, paymentId),
    ...(orderId != null && { orderId, accountId: accountsOf(context) }),
  });
}

export function gatewayDisputesPage(
  context: Context,
  page: PageRequest,
  cfPaymentId: string | null | undefined,
): Promise<Page<GatewayDispute>> {
  return gatewayDisputes.page(context, page, ofPayment(context, cfPaymentId));
}

function ofPayment(context: Context, cfPaymentId: string | null | undefined): object {
  return cfPaymentId == null ? {} : { cfPaymentId, accountId: accountsOf(context) };
}

type GatewayEffectFilter = {
  readonly eventId?: string | undefined;
  readonly cfPaymentId?: string | null | undefined;
};

export async function gatewayEffectsPage(
  context: Context,
  page: PageRequest,
  { eventId, cfPaymentId }: GatewayEffectFilter,
): Promise<Page<GatewayEffect>> {
  return gatewayEffects.page(context, page, {
    ...(eventId !== undefined && { eventId }),
    ...(cfPaymentId != null && {
      accountId: accountsOf(context),
      $or: await effectsOn(context, cfPaymentId),
    }),
  });
}

/** The objects that belong to the payment: itself, its refunds and its disputes. */
async function effectsOn(context: Context, cfPaymentId: string): Promise<readonly object[]> {
  const [accounts, workspaceId] = [accountsOf(context), workspaceOf(context.viewer)];
  const objects = await rowsOf(
    await context.read(),
    sql<{ readonly objectKind: string; readonly objectId: string }>`
      SELECT 'refund' AS object_kind, refund_id AS object_id FROM gateway_refunds
      WHERE account_id = ANY (${accounts}::uuid[]) AND cf_payment_id = ${cfPaymentId}
        AND workspace_id = ${workspaceId}
      UNION ALL
      SELECT 'dispute', dispute_id FROM gateway_disputes
      WHERE account_id = ANY (${accounts}::uuid[]) AND cf_payment_id = ${cfPaymentId}
        AND workspace_id = ${workspaceId}`,
  );
  const idsByKind = Map.groupBy(objects, ({ objectKind }) => objectKind);
  return [
    { objectKind: 'payment', objectId: cfPaymentId },
    ...[...idsByKind].map(([objectKind, ofKind]) => ({
      objectKind,
      objectId: ofKind.map(({ objectId }) => objectId),
    })),
  ];
}
