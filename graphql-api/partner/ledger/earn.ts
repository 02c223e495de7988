import { inflow } from './inflow.ts';
import { entriesOf, type Posting } from './posting.ts';
import type { Balances } from './wallet.ts';

export type Earned = { readonly id: string; readonly amountMinor: bigint };

/** A credit is held until its release day. */
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

/** A commission becomes cash immediately. Its minimum age is checked by payout requests. */
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
