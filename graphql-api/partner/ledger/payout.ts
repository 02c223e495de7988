import { inflow } from './inflow.ts';
import { type Entry, entriesOf, type Posting, type PostingKind } from './posting.ts';
import type { Balances } from './wallet.ts';

export type PayoutAmounts = {
  readonly id: string;
  readonly grossMinor: bigint;
  readonly taxMinor: bigint;
  readonly netMinor: bigint;
};

/** The cash leaves the balance, and is on its way. */
export function requestPayout(payout: PayoutAmounts): Posting {
  const { grossMinor } = payout;
  return posting('REQUEST_PAYOUT', payout, { CASH: -grossMinor, IN_PAYOUT: grossMinor });
}

/** The bank has it: the net is gone, the tax is owed to the state. */
export function payPayout(payout: PayoutAmounts): Posting {
  const { grossMinor, taxMinor, netMinor } = payout;
  return posting('PAY_PAYOUT', payout, {
    IN_PAYOUT: -grossMinor,
    TAX_PAYABLE: taxMinor,
    BANK: netMinor,
  });
}

/** Rejected or failed: the cash comes back. */
export function returnPayout(balances: Balances, payout: PayoutAmounts): Posting {
  const { grossMinor } = payout;
  return posting('RETURN_PAYOUT', payout, {
    IN_PAYOUT: -grossMinor,
    ...inflow(balances, 'CASH', grossMinor),
  });
}

/** The bank sent it back after it was paid; with nothing paid, no tax is owed either. */
export function reversePayout(
  balances: Balances,
  payout: PayoutAmounts,
  paidTransactionId: string | undefined,
): Posting {
  const { grossMinor, taxMinor, netMinor } = payout;
  return {
    ...posting('REVERSE_PAYOUT', payout, {
      BANK: -netMinor,
      TAX_PAYABLE: -taxMinor,
      ...inflow(balances, 'CASH', grossMinor),
    }),
    reversesId: paidTransactionId,
  };
}

function posting(
  kind: PostingKind,
  { id, grossMinor }: PayoutAmounts,
  amounts: Partial<Record<Entry['account'], bigint>>,
): Posting {
  return {
    kind,
    key: `${kind.toLowerCase().replace('_', '-')}:${id}`,
    amountMinor: grossMinor,
    sourceType: 'payout',
    sourceId: id,
    entries: entriesOf(amounts),
  };
}
