// Shares of amounts, in whole minor units. Rates are in basis points: 1,000 is 10%.

const BPS = 10_000n;

/** Rounds half up. */
export function share(amountMinor: bigint, rateBps: number): bigint {
  return (amountMinor * BigInt(rateBps) + BPS / 2n) / BPS;
}

/**
 * Set by the specification: no tax if registered for GST, otherwise by whether the tax identifier
 * is verified.
 */
export function taxRateBps(profile: {
  readonly hasGst: boolean;
  readonly hasPanVerified: boolean;
}): number {
  if (profile.hasGst) return 0;
  return profile.hasPanVerified ? 200 : 1_000;
}
