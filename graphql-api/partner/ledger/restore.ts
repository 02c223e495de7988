import type { ReversedEarning } from './claw-back.ts';
import { inflow } from './inflow.ts';
import { entriesOf, type Posting } from './posting.ts';
import type { Balances } from './wallet.ts';

/** Restores with a new posting what a chargeback clawed back before the merchant won it. */
export function restore(balances: Balances, reversed: ReversedEarning): Posting {
  const { earningId, kind, isHeld, amountMinor, causeId, reversesId } = reversed;
  const given = isHeld
    ? { PENDING: amountMinor }
    : inflow(balances, kind === 'CREDIT' ? 'AVAILABLE' : 'CASH', amountMinor);
  return {
    kind: 'RESTORE',
    key: `restore:${earningId}:${causeId}`,
    amountMinor,
    sourceType: 'earning',
    sourceId: earningId,
    reversesId,
    entries: entriesOf({ REWARDS: -amountMinor, ...given }),
  };
}
