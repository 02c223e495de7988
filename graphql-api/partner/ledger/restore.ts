import type { ReversedEarning } from './claw-back.ts';
import { inflow } from './inflow.ts';
import { entriesOf, type Posting } from './posting.ts';
import type { Balances } from './wallet.ts';

/** What was clawed back for a chargeback that the merchant won comes back by a new posting. */
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
