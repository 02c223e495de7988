import { hash } from 'node:crypto';

/**
 * Which variant a person sees: the same one whenever and wherever it is asked, and independent of
 * what they see of other campaigns. Without a person the first. Undefined when there are none.
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
  // Weights that are all 0, or what rounding left over.
  return variants.findLast(({ weight }) => weight > 0) ?? variants[0];
}

const SHARE_BYTES = 6;

/** From 0 to below 1, as good as drawn by lot. A campaign's id has a fixed length. */
function shareOf(campaignId: string, userId: string): number {
  const digest = hash('sha256', `${campaignId}/${userId}`, 'buffer');
  return digest.readUIntBE(0, SHARE_BYTES) / 2 ** (SHARE_BYTES * 8);
}
