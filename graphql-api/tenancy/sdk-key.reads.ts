import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { workspaceOf } from '../platform/permit.ts';
import { SdkKey } from './sdk-key.entity.ts';

export const sdkKeys = workspaceReads(SdkKey);

/** The successors of the rotated ones among these keys. */
export async function sdkKeysByPredecessors(
  context: Context,
  rotatedFromIds: readonly string[],
): Promise<readonly SdkKey[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(SdkKey, { rotatedFromId: [...rotatedFromIds], workspaceId });
}
