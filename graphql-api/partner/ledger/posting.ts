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

type SourceType = 'earning' | 'release' | 'redemption' | 'conversion' | 'payout';

/** A planned change of one wallet, as data. Pure functions create it; `post` writes it. */
export type Posting = {
  readonly kind: PostingKind;
  /** Identifies the posting, so that it is written once. */
  readonly key: string;
  /** The amount of the posting, regardless of how it is split between accounts. */
  readonly amountMinor: bigint;
  readonly sourceType: SourceType;
  readonly sourceId: string;
  /** The transaction that this posting reverses. */
  readonly reversesId?: string | undefined;
  readonly entries: readonly Entry[];
};

type Entry = {
  readonly account: WalletAccount | PlatformAccount;
  /** Credits are positive, debits negative. */
  readonly amountMinor: bigint;
};

export type Amounts = Partial<Readonly<Record<Entry['account'], bigint>>>;

/** Omits entries with an amount of zero. */
export function entriesOf(amounts: Amounts): Entry[] {
  return Object.entries(amounts)
    .filter(([, amountMinor]) => amountMinor !== 0n)
    .map(([account, amountMinor]) => ({ account: account as Entry['account'], amountMinor }));
}
