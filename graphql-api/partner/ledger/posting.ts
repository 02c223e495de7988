import type { PlatformAccount, WalletAccount } from './wallet.ts';

export const POSTING_KINDS = [
  'EARN_CREDIT',
  'EARN_COMMISSION',
  'RELEASE_CREDITS',
  'CLAW_BACK',
  'RESTORE',
  'REDEEM',
  'RESERVE',
  'CAPTURE_RESERVATION',
  'RELEASE_RESERVATION',
  'CONVERT_CREDITS',
  'REQUEST_PAYOUT',
  'PAY_PAYOUT',
  'RETURN_PAYOUT',
  'REVERSE_PAYOUT',
] as const;
export type PostingKind = (typeof POSTING_KINDS)[number];

export type SourceType = 'earning' | 'release' | 'redemption' | 'conversion' | 'payout';

/** What is to happen to one wallet, as data: pure functions make it, `post` writes it. */
export type Posting = {
  readonly kind: PostingKind;
  /** Says what this does, so that it is done once. */
  readonly key: string;
  /** What it is about, however it is split between accounts. */
  readonly amountMinor: bigint;
  readonly sourceType: SourceType;
  readonly sourceId: string;
  /** The transaction that this one takes back. */
  readonly reversesId?: string | undefined;
  readonly entries: readonly Entry[];
};

export type Entry = {
  readonly account: WalletAccount | PlatformAccount;
  /** A credit is positive, a debit negative. */
  readonly amountMinor: bigint;
};

/** Without the entries that move nothing. */
export function entriesOf(
  amounts: Partial<Readonly<Record<WalletAccount | PlatformAccount, bigint>>>,
): Entry[] {
  return Object.entries(amounts)
    .filter(([, amountMinor]) => amountMinor !== 0n)
    .map(([account, amountMinor]) => ({ account: account as Entry['account'], amountMinor }));
}
