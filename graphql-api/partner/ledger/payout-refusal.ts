export type PayoutRefusal = 'BELOW_MIN_THRESHOLD' | 'INSUFFICIENT_BALANCE' | 'NET30_GUARDRAIL';

type Asked = {
  readonly amountMinor: bigint;
  readonly minimumMinor: bigint;
  readonly cashMinor: bigint;
  /** The part of it that came in too lately. */
  readonly youngMinor: bigint;
};

/** Why cash is not paid out, whoever's it is. In the spec's order: the first that fails is the answer. */
export function payoutRefusal(asked: Asked): PayoutRefusal | undefined {
  const { amountMinor, minimumMinor, cashMinor, youngMinor } = asked;
  if (amountMinor < minimumMinor) return 'BELOW_MIN_THRESHOLD';
  if (amountMinor > cashMinor) return 'INSUFFICIENT_BALANCE';
  if (amountMinor > cashMinor - youngMinor) return 'NET30_GUARDRAIL';
  return undefined;
}
