// Events about unknown objects. A payment can be reported before its link, and before the gateway
// has responded to our creating it. Such events are retried with increasing intervals, and
// immediately once the object becomes known.

import type { ApplyScope } from './apply-scope.ts';

/** The keys by which an object can become known. */
export const awaitedName = {
  payment: (cfPaymentId: string) => `payment:${cfPaymentId}`,
  order: (orderId: string) => `order:${orderId}`,
  link: (linkId: string) => `link:${linkId}`,
  cfLink: (cfLinkId: string) => `cf_link:${cfLinkId}`,
  subscription: (subscriptionId: string) => `subscription:${subscriptionId}`,
  cfSubscription: (cfSubscriptionId: string) => `cf_subscription:${cfSubscriptionId}`,
  refund: (refundId: string) => `refund:${refundId}`,
  vendor: (vendorId: string) => `vendor:${vendorId}`,
} as const;

export type Names = Partial<Record<keyof typeof awaitedName, string | undefined>>;

export function awaitedNames(names: Names): readonly string[] {
  return Object.entries(names).flatMap(([kind, id]) =>
    id === undefined ? [] : [awaitedName[kind as keyof typeof awaitedName](id)],
  );
}

/** Must be called in the transaction that makes the object known. */
export async function wakeAwaiting({ em, accountId }: ApplyScope, names: Names): Promise<void> {
  await em.execute(
    `WITH woken AS (
       DELETE FROM gateway_awaited
       WHERE account_id = ?
         AND object IN (SELECT jsonb_array_elements_text(?::jsonb))
       RETURNING event_id)
     UPDATE gateway_events SET next_attempt_at = now()
     WHERE id IN (
       -- An event that is being processed right now is retried anyway.
       SELECT id FROM gateway_events
       WHERE state = 'IGNORED' AND id IN (SELECT event_id FROM woken)
       FOR UPDATE SKIP LOCKED)`,
    [accountId, JSON.stringify(awaitedNames(names))],
  );
}
