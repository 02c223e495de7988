import { hash } from 'node:crypto';

/**
 * Chooses the variant that a person sees. Deterministic per person and campaign, and independent
 * across campaigns. Without a person, the first variant. Undefined if there are no variants.
 */
export function chooseVariant<V extends { readonly weight: number }>(
  campaignId: string,
  variants: readonly V[],
  userId: string | undefined,
): V | undefined {
  if (variants.length < 2 || userId === undefined) return variants[0];
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  let left = shareOf(campaignId, userId) * total;
  for (const variant of variants) {
    left -= variant.weight;
    if (left < 0) return variant;
  }
  // All weights are 0, or rounding left a remainder.
  return variants.findLast(({ weight }) => weight > 0) ?? variants[0];
}

const SHARE_BYTES = 6;

/** A pseudorandom number from 0 up to, not including, 1. Campaign IDs have a fixed length, so the
 * hash input is unambiguous. */
function shareOf(campaignId: string, userId: string): number {
  const digest = hash('sha256', `${campaignId}/${userId}`, 'buffer');
  return digest.readUIntBE(0, SHARE_BYTES) / 2 ** (SHARE_BYTES * 8);
}
