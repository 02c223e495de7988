// Shares of amounts, in whole minor units. Rates are in basis points: 1,000 is 10%.

const BPS = 10_000n;

/** Rounds half up. */
export function share(amountMinor: bigint, rateBps: number): bigint {
  return (amountMinor * BigInt(rateBps) + BPS / 2n) / BPS;
}
