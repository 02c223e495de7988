export type PayoutRefusal = 'BELOW_MIN_THRESHOLD' | 'INSUFFICIENT_BALANCE' | 'NET30_GUARDRAIL';

type Asked = {
  readonly amountMinor: bigint;
  readonly minimumMinor: bigint;
  readonly cashMinor: bigint;
  /** The part of the cash that has not reached the minimum age. */
  readonly youngMinor: bigint;
};

/**
 * Why a payout is rejected. The checks are in the order of the specification; the first that fails
 * is returned.
 */
export function payoutRefusal(asked: Asked): PayoutRefusal | undefined {
  const { amountMinor, minimumMinor, cashMinor, youngMinor } = asked;
  if (amountMinor < minimumMinor) return 'BELOW_MIN_THRESHOLD';
  if (amountMinor > cashMinor) return 'INSUFFICIENT_BALANCE';
  if (amountMinor > cashMinor - youngMinor) return 'NET30_GUARDRAIL';
  return undefined;
}
