import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import { kysely, rowsOf, sql } from '../../platform/database/kysely.ts';
import type { PaymentFact } from '../facts/facts.ts';
import type { ApplyScope } from './apply-scope.ts';

/** The owner of a gateway object: a workspace, or the platform's own billing. */
export type Owner = {
  readonly workspaceId: string | null;
  readonly payerOrganizationId: string | null;
};

/**
 * The order, link or subscription that a payment belongs to, found by the IDs in its event or by
 * the stored payment.
 */
export type Parent = Owner & {
  readonly orderId: string | null;
  readonly linkId: string | null;
  readonly subscriptionId: string | null;
};

type ParentNames = Pick<
  PaymentFact,
  'orderId' | 'cfLinkId' | 'subscriptionId' | 'cfSubscriptionId'
> & { readonly cfPaymentId?: string | undefined };

/** Each lookup uses an index. The first match by `place` is returned. */
export async function findParent(
  { em, accountId }: ApplyScope,
  names: ParentNames,
): Promise<Parent | undefined> {
  const { cfPaymentId, orderId, cfLinkId, subscriptionId, cfSubscriptionId } = names;
  const [parent] = await rowsOf(
    em,
    sql<Parent>`
      SELECT workspace_id, payer_organization_id, order_id, link_id, subscription_id
      FROM (
        SELECT 1 AS place, workspace_id, payer_organization_id, order_id, NULL AS link_id, NULL AS subscription_id
          FROM gateway_orders WHERE account_id = ${accountId} AND order_id = ${orderId}
        UNION ALL
        SELECT 2, workspace_id, payer_organization_id, NULL, link_id, NULL
          FROM gateway_links WHERE account_id = ${accountId} AND cf_id = ${cfLinkId}
        UNION ALL
        SELECT 3, workspace_id, payer_organization_id, NULL, link.link_id, NULL
          FROM gateway_link_orders made JOIN gateway_links link USING (account_id, link_id)
          WHERE account_id = ${accountId} AND made.order_id = ${orderId}
        UNION ALL
        SELECT 4, workspace_id, payer_organization_id, NULL, NULL, subscription_id
          FROM gateway_subscriptions WHERE account_id = ${accountId} AND subscription_id = ${subscriptionId}
        UNION ALL
        SELECT 5, workspace_id, payer_organization_id, NULL, NULL, subscription_id
          FROM gateway_subscriptions WHERE account_id = ${accountId} AND cf_id = ${cfSubscriptionId}
        UNION ALL
        SELECT 6, workspace_id, payer_organization_id, order_id, link_id, subscription_id
          FROM gateway_payments WHERE account_id = ${accountId} AND cf_payment_id = ${cfPaymentId}
      ) found ORDER BY place LIMIT 1`,
  );
  return parent;
}

/**
 * The owner that we stored when we created the object takes precedence. For an unknown object in a
 * workspace's own merchant account, that workspace is the owner. For one in the platform's account,
 * the echoed workspace is the owner, because only the platform could have sent it. An unknown
 * object is never the platform's billing.
 */
export async function ownerOf(
  { em, accountId, echoedWorkspaceId }: ApplyScope,
  stored: Owner | undefined,
): Promise<Owner | undefined> {
  if (stored !== undefined) return stored;
  const workspaceId = accountId === PLATFORM_ACCOUNT_ID ? echoedWorkspaceId : accountId;
  if (workspaceId === undefined) return undefined;
  const workspaces = kysely(em).selectFrom('workspaces').select('id');
  const found = await workspaces.where('id', '=', workspaceId).executeTakeFirst();
  return found && { workspaceId, payerOrganizationId: null };
}

/**
 * For events that name only the order: an order has one successful payment. Undefined until it is
 * known.
 */
export async function onlyPaymentOf(
  { em, accountId }: ApplyScope,
  orderId: string | undefined,
): Promise<string | undefined> {
  if (orderId === undefined) return undefined;
  const payment = await kysely(em)
    .selectFrom('gateway_payments')
    .select('cfPaymentId')
    .where('accountId', '=', accountId)
    .where('orderId', '=', orderId)
    .where('status', '=', 'SUCCESS')
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst();
  return payment?.cfPaymentId;
}

/**
 * The gateway creates an order for each payment of a link, and later events name only that order.
 */
export async function rememberOrder(
  { em, accountId }: ApplyScope,
  orderId: string,
  linkId: string,
): Promise<void> {
  await kysely(em)
    .insertInto('gateway_link_orders')
    .values({ accountId, orderId, linkId })
    .onConflict(conflict => conflict.columns(['accountId', 'orderId']).doNothing())
    .execute();
}
