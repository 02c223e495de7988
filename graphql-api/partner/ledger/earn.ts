import { inflow } from './inflow.ts';
import { entriesOf, type Posting } from './posting.ts';
import type { Balances } from './wallet.ts';

export type Earned = { readonly id: string; readonly amountMinor: bigint };

/** A credit is held until its day of release. */
export function earnCredit({ id, amountMinor }: Earned): Posting {
  return {
    kind: 'EARN_CREDIT',
    key: `earn:${id}`,
    amountMinor,
    sourceType: 'earning',
    sourceId: id,
    entries: entriesOf({ REWARDS: -amountMinor, PENDING: amountMinor }),
  };
}

/** A commission is cash at once; how old it must be to be paid out is the payout's to ask. */
export function earnCommission(balances: Balances, { id, amountMinor }: Earned): Posting {
  return {
    kind: 'EARN_COMMISSION',
    key: `earn:${id}`,
    amountMinor,
    sourceType: 'earning',
    sourceId: id,
    entries: entriesOf({ REWARDS: -amountMinor, ...inflow(balances, 'CASH', amountMinor) }),
  };
}
