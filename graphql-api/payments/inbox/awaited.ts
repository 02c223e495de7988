// Events about unknown objects. A payment can be reported before its link, and before the gateway
// has responded to our creating it. Such events are retried with increasing intervals, and
// immediately once the object becomes known.

import { rowsOf, sql } from '../../platform/database/kysely.ts';
import type { ApplyScope } from './apply-scope.ts';

/** The keys by which an object can become known, and their prefixes. */
const KINDS = {
  payment: 'payment',
  order: 'order',
  link: 'link',
  cfLink: 'cf_link',
  subscription: 'subscription',
  cfSubscription: 'cf_subscription',
  refund: 'refund',
  vendor: 'vendor',
} as const;

type Names = Partial<Record<keyof typeof KINDS, string | undefined>>;

export function awaitedNames(names: Names): readonly string[] {
  return Object.entries(names).flatMap(([kind, id]) =>
    id === undefined ? [] : [`${KINDS[kind as keyof typeof KINDS]}:${id}`],
  );
}

/** Must be called in the transaction that makes the object known. */
export async function wakeAwaiting({ em, accountId }: ApplyScope, names: Names): Promise<void> {
  await rowsOf(
    em,
    sql`
      WITH woken AS (
        DELETE FROM gateway_awaited
        WHERE account_id = ${accountId} AND object = ANY(${awaitedNames(names)})
        RETURNING event_id)
      UPDATE gateway_events SET next_attempt_at = now()
      WHERE id IN (
        -- An event that is being processed right now is retried anyway.
        SELECT id FROM gateway_events
        WHERE state = 'IGNORED' AND id IN (SELECT event_id FROM woken)
        FOR UPDATE SKIP LOCKED)`,
  );
}
