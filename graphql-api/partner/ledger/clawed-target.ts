export type Reversals = {
  readonly paymentMinor: bigint;
  readonly refundedMinor: bigint;
  readonly hasOpenChargeback: boolean;
};

/**
 * How much of an earning is to be clawed back, given all that happened to its payment: cumulative, so
 * that partial refunds add up exactly and their order doesn't matter.
 */
export function clawedTarget(earnedMinor: bigint, reversals: Reversals): bigint {
  const { paymentMinor, refundedMinor, hasOpenChargeback } = reversals;
  if (hasOpenChargeback || refundedMinor >= paymentMinor) return earnedMinor;
  return (earnedMinor * refundedMinor) / paymentMinor;
}
