import type { LinkFact } from './facts.ts';
import { byRank } from './furthest.ts';

export type LinkState = {
  readonly status: string;
  readonly statusAtMs: number | undefined;
  readonly cfLinkId: string | undefined;
  readonly linkUrl: string | undefined;
  readonly amountPaidMinor: bigint;
};

/** PAID wins, even if the link expired or was canceled at the same time. */
const STATUSES = byRank('ACTIVE', 'PARTIALLY_PAID', 'EXPIRED', 'CANCELLED', 'PAID');

export const { rankOf: linkRank, isLate: isLateLink } = STATUSES;

export function nextLink(current: LinkState | undefined, fact: LinkFact): LinkState {
  const { status, atMs: statusAtMs, cfLinkId, linkUrl, amountPaidMinor = 0n } = fact;
  const next = { status, statusAtMs, cfLinkId, linkUrl, amountPaidMinor };
  // The paid amount never decreases, since each partial payment adds to it.
  const before = current?.amountPaidMinor ?? 0n;
  return {
    ...STATUSES.furthest(current, next),
    amountPaidMinor: before > amountPaidMinor ? before : amountPaidMinor,
  };
}

export const OPEN_LINK_STATUSES = ['CREATING', 'ACTIVE', 'PARTIALLY_PAID'];
