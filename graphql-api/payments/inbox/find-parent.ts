import type { PaymentFact } from '../facts/facts.ts';
import type { ApplyScope } from './apply-scope.ts';
import type { Owner } from './owner.ts';

/**
 * The order, link or subscription that a payment belongs to, found by the IDs in its event or by
 * the stored payment.
 */
export type Parent = Owner & {
  readonly orderId: string | null;
  readonly linkId: string | null;
  readonly subscriptionId: string | null;
};

export type ParentNames = Pick<
  PaymentFact,
  'orderId' | 'cfLinkId' | 'subscriptionId' | 'cfSubscriptionId'
> & { readonly cfPaymentId?: string | undefined };

const NONE = 'NULL::text';

/** Each lookup uses an index. The first match by `place` is returned. */
export async function findParent(
  { em, accountId }: ApplyScope,
  names: ParentNames,
): Promise<Parent | undefined> {
  const { cfPaymentId, orderId, cfLinkId, subscriptionId, cfSubscriptionId } = names;
  const [parent] = await em.execute<Parent[]>(
    `WITH asked AS (
       SELECT ?::uuid AS account_id, ?::text AS payment, ?::text AS "order", ?::text AS cf_link,
              ?::text AS subscription, ?::text AS cf_subscription)
     SELECT workspace_id AS "workspaceId", payer_organization_id AS "payerOrganizationId",
            order_id AS "orderId", link_id AS "linkId", subscription_id AS "subscriptionId"
     FROM (
       SELECT 1 AS place, workspace_id, payer_organization_id, order_id, ${NONE} AS link_id, ${NONE} AS subscription_id
         FROM gateway_orders JOIN asked USING (account_id) WHERE order_id = asked."order"
       UNION ALL
       SELECT 2, workspace_id, payer_organization_id, ${NONE}, link_id, ${NONE}
         FROM gateway_links JOIN asked USING (account_id) WHERE cf_id = asked.cf_link
       UNION ALL
       SELECT 3, workspace_id, payer_organization_id, ${NONE}, link.link_id, ${NONE}
         FROM asked JOIN gateway_link_orders made ON made.account_id = asked.account_id AND made.order_id = asked."order"
         JOIN gateway_links link ON link.account_id = asked.account_id AND link.link_id = made.link_id
       UNION ALL
       SELECT 4, workspace_id, payer_organization_id, ${NONE}, ${NONE}, subscription_id
         FROM gateway_subscriptions JOIN asked USING (account_id) WHERE subscription_id = asked.subscription
       UNION ALL
       SELECT 5, workspace_id, payer_organization_id, ${NONE}, ${NONE}, subscription_id
         FROM gateway_subscriptions JOIN asked USING (account_id) WHERE cf_id = asked.cf_subscription
       UNION ALL
       SELECT 6, workspace_id, payer_organization_id, order_id, link_id, subscription_id
         FROM gateway_payments JOIN asked USING (account_id) WHERE cf_payment_id = asked.payment
     ) found ORDER BY place LIMIT 1`,
    [
      accountId,
      cfPaymentId ?? null,
      orderId ?? null,
      cfLinkId ?? null,
      subscriptionId ?? null,
      cfSubscriptionId ?? null,
    ],
  );
  return parent;
}
