import type { LinkFact } from './facts.ts';
import { furthest, rankIn, ranksOf, timeOf } from './furthest.ts';

export type LinkState = {
  readonly status: string;
  readonly statusAtMs: number | undefined;
  readonly cfLinkId: string | undefined;
  readonly linkUrl: string | undefined;
  readonly amountPaidMinor: bigint;
};

/** PAID wins, even if the link expired or was cancelled at the same time. */
const RANKS = ranksOf('ACTIVE', 'PARTIALLY_PAID', 'EXPIRED', 'CANCELLED', 'PAID');

export function nextLink(current: LinkState | undefined, fact: LinkFact): LinkState {
  const amountPaidMinor = fact.amountPaidMinor ?? 0n;
  const next = furthest<LinkState>(
    current,
    {
      status: fact.status,
      statusAtMs: fact.atMs,
      cfLinkId: fact.cfLinkId,
      linkUrl: fact.linkUrl,
      amountPaidMinor,
    },
    ({ status, statusAtMs }) => [rankIn(RANKS, status), timeOf(statusAtMs)],
  );
  // The paid amount never decreases, since each partial payment adds to it.
  const before = current?.amountPaidMinor ?? 0n;
  return { ...next, amountPaidMinor: before > amountPaidMinor ? before : amountPaidMinor };
}

export function isLateLink(
  current: Pick<LinkState, 'status'> | undefined,
  fact: Pick<LinkFact, 'status'>,
): boolean {
  return current !== undefined && linkRank(fact.status) < linkRank(current.status);
}

export function linkRank(status: string): number {
  return rankIn(RANKS, status);
}

export const OPEN_LINK_STATUSES = ['CREATING', 'ACTIVE', 'PARTIALLY_PAID'];
