// Every posting, as a pure function: what it debits and credits. The README lists them in a table.

import { type Amounts, entriesOf, type Posting, type PostingKind } from './posting.ts';
import type { Balances } from './wallet.ts';

/** The earning, redemption or conversion that a posting is for, and the amount to post. */
type Source = { readonly id: string; readonly amountMinor: bigint };

/** A credit is held until its release day. */
export function earnCredit({ id, amountMinor }: Source): Posting {
  return posting('EARN_CREDIT', `earn:${id}`, earning(id, amountMinor), {
    REWARDS: -amountMinor,
    PENDING: amountMinor,
  });
}

/** A commission becomes cash immediately. Its minimum age is checked by payout requests. */
export function earnCommission(balances: Balances, { id, amountMinor }: Source): Posting {
  return posting('EARN_COMMISSION', `earn:${id}`, earning(id, amountMinor), {
    REWARDS: -amountMinor,
    ...inflow(balances, 'CASH', amountMinor),
  });
}

type DueCredits = {
  readonly walletId: string;
  /** The UTC day of the release. */
  readonly releaseOn: string;
  /**
   * Distinguishes releases of the same day: each credit is released once, so a later release of the
   * day has a different first credit.
   */
  readonly firstEarningId: string;
  readonly amountMinor: bigint;
};

/** Releases all credits of a wallet that are due on one day. */
export function releaseCredits(balances: Balances, due: DueCredits): Posting {
  const { walletId, releaseOn, firstEarningId, amountMinor } = due;
  const key = `release:${walletId}:${releaseOn}:${firstEarningId}`;
  const source = { sourceType: 'release', sourceId: releaseOn, amountMinor } as const;
  return posting('RELEASE_CREDITS', key, source, {
    PENDING: -amountMinor,
    ...inflow(balances, 'AVAILABLE', amountMinor),
  });
}

type ReversedEarning = {
  readonly earningId: string;
  readonly kind: 'CREDIT' | 'COMMISSION';
  readonly isHeld: boolean;
  readonly amountMinor: bigint;
  /**
   * The refund or chargeback that causes the clawback, or the payment itself if it arrives late.
   */
  readonly causeId: string;
  readonly reversesId: string | undefined;
};

/** A held credit is voided. Anything later is debited. */
export function clawBack(balances: Balances, reversed: ReversedEarning): Posting {
  const { earningId, isHeld, amountMinor, causeId, reversesId } = reversed;
  const source = { ...earning(earningId, amountMinor), reversesId };
  return posting('CLAW_BACK', `claw-back:${earningId}:${causeId}`, source, {
    REWARDS: amountMinor,
    ...(isHeld
      ? { PENDING: -amountMinor }
      : outflow(balances, accountOf(reversed.kind), amountMinor)),
  });
}

/** Restores with a new posting what a chargeback clawed back before the merchant won it. */
export function restore(balances: Balances, reversed: ReversedEarning): Posting {
  const { earningId, isHeld, amountMinor, causeId, reversesId } = reversed;
  const source = { ...earning(earningId, amountMinor), reversesId };
  return posting('RESTORE', `restore:${earningId}:${causeId}`, source, {
    REWARDS: -amountMinor,
    ...(isHeld
      ? { PENDING: amountMinor }
      : inflow(balances, accountOf(reversed.kind), amountMinor)),
  });
}

/** Credits pay part of a registered invoice. */
export function redeem({ id, amountMinor }: Source): Posting {
  return posting('REDEEM', `redeem:${id}`, redemption(id, amountMinor), {
    AVAILABLE: -amountMinor,
    INVOICES: amountMinor,
  });
}

/** Credits are reserved for an invoice that is not registered yet. */
export function reserve({ id, amountMinor }: Source): Posting {
  return posting('RESERVE', `reserve:${id}`, redemption(id, amountMinor), {
    AVAILABLE: -amountMinor,
    RESERVED: amountMinor,
  });
}

/** Both outcomes share one key, so a reservation is settled only once. */
export function captureReservation({ id, amountMinor }: Source): Posting {
  return posting('CAPTURE_RESERVATION', `settle-reservation:${id}`, redemption(id, amountMinor), {
    RESERVED: -amountMinor,
    INVOICES: amountMinor,
  });
}

export function releaseReservation(balances: Balances, { id, amountMinor }: Source): Posting {
  return posting('RELEASE_RESERVATION', `settle-reservation:${id}`, redemption(id, amountMinor), {
    RESERVED: -amountMinor,
    ...inflow(balances, 'AVAILABLE', amountMinor),
  });
}

/** Converts credits to cash 1:1. A wallet with credits has no debt, so nothing is repaid here. */
export function convertCredits({ id, amountMinor }: Source): Posting {
  const source = { sourceType: 'conversion', sourceId: id, amountMinor } as const;
  return posting('CONVERT_CREDITS', `convert:${id}`, source, {
    AVAILABLE: -amountMinor,
    CASH: amountMinor,
  });
}

type PayoutAmounts = {
  readonly id: string;
  readonly grossMinor: bigint;
  readonly taxMinor: bigint;
  readonly netMinor: bigint;
};

/** Moves the cash from the balance to the payout. */
export function requestPayout({ id, grossMinor }: PayoutAmounts): Posting {
  return posting('REQUEST_PAYOUT', `request-payout:${id}`, payout(id, grossMinor), {
    CASH: -grossMinor,
    IN_PAYOUT: grossMinor,
  });
}

/** The bank paid the net amount. The tax is owed to the state. */
export function payPayout({ id, grossMinor, taxMinor, netMinor }: PayoutAmounts): Posting {
  return posting('PAY_PAYOUT', `pay-payout:${id}`, payout(id, grossMinor), {
    IN_PAYOUT: -grossMinor,
    TAX_PAYABLE: taxMinor,
    BANK: netMinor,
  });
}

/** Returns the cash of a rejected or failed payout. */
export function returnPayout(balances: Balances, { id, grossMinor }: PayoutAmounts): Posting {
  return posting('RETURN_PAYOUT', `return-payout:${id}`, payout(id, grossMinor), {
    IN_PAYOUT: -grossMinor,
    ...inflow(balances, 'CASH', grossMinor),
  });
}

/** The bank returned a paid payout. Nothing was paid out, so no tax is owed. */
export function reversePayout(
  balances: Balances,
  { id, grossMinor, taxMinor, netMinor }: PayoutAmounts,
  reversesId: string | undefined,
): Posting {
  const source = { ...payout(id, grossMinor), reversesId };
  return posting('REVERSE_PAYOUT', `reverse-payout:${id}`, source, {
    BANK: -netMinor,
    TAX_PAYABLE: -taxMinor,
    ...inflow(balances, 'CASH', grossMinor),
  });
}

type PostingSource = Pick<Posting, 'sourceType' | 'sourceId' | 'amountMinor' | 'reversesId'>;

function posting(kind: PostingKind, key: string, source: PostingSource, amounts: Amounts): Posting {
  return { kind, key, ...source, entries: entriesOf(amounts) };
}

function earning(sourceId: string, amountMinor: bigint): PostingSource {
  return { sourceType: 'earning', sourceId, amountMinor };
}

function redemption(sourceId: string, amountMinor: bigint): PostingSource {
  return { sourceType: 'redemption', sourceId, amountMinor };
}

function payout(sourceId: string, amountMinor: bigint): PostingSource {
  return { sourceType: 'payout', sourceId, amountMinor };
}

function accountOf(kind: ReversedEarning['kind']): 'AVAILABLE' | 'CASH' {
  return kind === 'CREDIT' ? 'AVAILABLE' : 'CASH';
}

/** An inflow repays the debt first. The rest goes to the account. */
function inflow(balances: Balances, into: 'AVAILABLE' | 'CASH', amountMinor: bigint): Amounts {
  const repaid = min(-balances.DEBT, amountMinor);
  return { DEBT: repaid, [into]: amountMinor - repaid };
}

/**
 * Takes a clawback from the account that received the earning, then from the other kind, which is
 * convertible 1:1. The rest becomes debt. So a wallet never has both a balance and a debt.
 */
function outflow(balances: Balances, outOf: 'AVAILABLE' | 'CASH', amountMinor: bigint): Amounts {
  const other = outOf === 'AVAILABLE' ? 'CASH' : 'AVAILABLE';
  const first = min(balances[outOf], amountMinor);
  const second = min(balances[other], amountMinor - first);
  return { [outOf]: -first, [other]: -second, DEBT: -(amountMinor - first - second) };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
