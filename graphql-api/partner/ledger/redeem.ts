import { inflow } from './inflow.ts';
import { entriesOf, type Posting, type PostingKind } from './posting.ts';
import type { Balances, PlatformAccount } from './wallet.ts';

export type Redeemed = { readonly id: string; readonly amountMinor: bigint };

/** Credits pay part of a registered invoice. */
export function redeem({ id, amountMinor }: Redeemed): Posting {
  return redemption('REDEEM', `redeem:${id}`, id, amountMinor, {
    AVAILABLE: -amountMinor,
    INVOICES: amountMinor,
  });
}

/** Credits are reserved for an invoice that is not registered yet. */
export function reserve({ id, amountMinor }: Redeemed): Posting {
  return redemption('RESERVE', `reserve:${id}`, id, amountMinor, {
    AVAILABLE: -amountMinor,
    RESERVED: amountMinor,
  });
}

/** Both outcomes share one key, so a reservation is settled only once. */
export function captureReservation({ id, amountMinor }: Redeemed): Posting {
  return redemption('CAPTURE_RESERVATION', `settle-reservation:${id}`, id, amountMinor, {
    RESERVED: -amountMinor,
    INVOICES: amountMinor,
  });
}

export function releaseReservation(balances: Balances, { id, amountMinor }: Redeemed): Posting {
  return redemption('RELEASE_RESERVATION', `settle-reservation:${id}`, id, amountMinor, {
    RESERVED: -amountMinor,
    ...inflow(balances, 'AVAILABLE', amountMinor),
  });
}

function redemption(
  kind: PostingKind,
  key: string,
  sourceId: string,
  amountMinor: bigint,
  amounts: Partial<Record<'AVAILABLE' | 'CASH' | 'DEBT' | PlatformAccount, bigint>>,
): Posting {
  return {
    kind,
    key,
    amountMinor,
    sourceType: 'redemption',
    sourceId,
    entries: entriesOf(amounts),
  };
}
