/** The spec's: half of an invoice may be paid with credits. */
const CAP_PERCENT = 50n;

/** What may still be redeemed on an invoice, all redemptions together. Never more than half. */
export function redeemableMinor(invoiceTotalMinor: bigint, redeemedMinor: bigint): bigint {
  const left = (invoiceTotalMinor * CAP_PERCENT) / 100n - redeemedMinor;
  return left > 0n ? left : 0n;
}
