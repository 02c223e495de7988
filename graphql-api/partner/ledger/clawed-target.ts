export type Reversals = {
  readonly paymentMinor: bigint;
  readonly refundedMinor: bigint;
  readonly hasOpenChargeback: boolean;
};

/**
 * The total amount to claw back from an earning, given all reversals of its payment. It is
 * cumulative, so partial refunds add up exactly and their order does not matter.
 */
export function clawedTarget(earnedMinor: bigint, reversals: Reversals): bigint {
  const { paymentMinor, refundedMinor, hasOpenChargeback } = reversals;
  if (hasOpenChargeback || refundedMinor >= paymentMinor) return earnedMinor;
  return (earnedMinor * refundedMinor) / paymentMinor;
}
