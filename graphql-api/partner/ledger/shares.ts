// Parts of amounts, in whole minor units. A rate is in basis points: 1,000 are 10 %.

const BPS = 10_000n;

/** Half a minor unit counts as a whole one. */
export function share(amountMinor: bigint, rateBps: number): bigint {
  return (amountMinor * BigInt(rateBps) + BPS / 2n) / BPS;
}

/** The spec's: nothing from who is registered for GST, else by whether the tax id is verified. */
export function taxRateBps(profile: {
  readonly hasGst: boolean;
  readonly hasPanVerified: boolean;
}): number {
  if (profile.hasGst) return 0;
  return profile.hasPanVerified ? 200 : 1_000;
}
