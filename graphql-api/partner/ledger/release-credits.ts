import { inflow } from './inflow.ts';
import { entriesOf, type Posting } from './posting.ts';
import type { Balances } from './wallet.ts';

export type DueCredits = {
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
  return {
    kind: 'RELEASE_CREDITS',
    key: `release:${walletId}:${releaseOn}:${firstEarningId}`,
    amountMinor,
    sourceType: 'release',
    sourceId: releaseOn,
    entries: entriesOf({ PENDING: -amountMinor, ...inflow(balances, 'AVAILABLE', amountMinor) }),
  };
}
