import { inflow } from './inflow.ts';
import { entriesOf, type Posting } from './posting.ts';
import type { Balances } from './wallet.ts';

export type DueCredits = {
  readonly walletId: string;
  /** The UTC day. */
  readonly releaseOn: string;
  /** One of the credits. Each is released once, so what comes late for the same day has another. */
  readonly firstEarningId: string;
  readonly amountMinor: bigint;
};

/** All credits of a wallet that are due on one day, together. */
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
