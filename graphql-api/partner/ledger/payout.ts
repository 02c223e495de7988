import { inflow } from './inflow.ts';
import { type Entry, entriesOf, type Posting, type PostingKind } from './posting.ts';
import type { Balances } from './wallet.ts';

export type PayoutAmounts = {
  readonly id: string;
  readonly grossMinor: bigint;
  readonly taxMinor: bigint;
  readonly netMinor: bigint;
};

/** Moves the cash from the balance to the payout. */
export function requestPayout(payout: PayoutAmounts): Posting {
  const { grossMinor } = payout;
  return posting('REQUEST_PAYOUT', payout, { CASH: -grossMinor, IN_PAYOUT: grossMinor });
}

/** The bank paid the net amount. The tax is owed to the state. */
export function payPayout(payout: PayoutAmounts): Posting {
  const { grossMinor, taxMinor, netMinor } = payout;
  return posting('PAY_PAYOUT', payout, {
    IN_PAYOUT: -grossMinor,
    TAX_PAYABLE: taxMinor,
    BANK: netMinor,
  });
}

/** Returns the cash of a rejected or failed payout. */
export function returnPayout(balances: Balances, payout: PayoutAmounts): Posting {
  const { grossMinor } = payout;
  return posting('RETURN_PAYOUT', payout, {
    IN_PAYOUT: -grossMinor,
    ...inflow(balances, 'CASH', grossMinor),
  });
}

/** The bank returned a paid payout. Nothing was paid out, so no tax is owed. */
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
