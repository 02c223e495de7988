/** Set by the specification: credits can pay at most half of an invoice. */
const CAP_PERCENT = 50n;

/** The amount that can still be redeemed on an invoice, given all redemptions so far. */
export function redeemableMinor(invoiceTotalMinor: bigint, redeemedMinor: bigint): bigint {
  const left = (invoiceTotalMinor * CAP_PERCENT) / 100n - redeemedMinor;
  return left > 0n ? left : 0n;
}
