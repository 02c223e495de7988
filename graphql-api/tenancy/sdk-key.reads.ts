import type { Context } from '../platform/context.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { SdkKey } from './sdk-key.entity.ts';

export async function sdkKeysPage(context: Context, page: PageRequest): Promise<Page<SdkKey>> {
  const workspaceId = workspaceOf(context.viewer);
  return readPage(await context.read(), SdkKey, { workspaceId }, page);
}

export async function sdkKeysByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly SdkKey[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(SdkKey, { id: [...ids], workspaceId });
}

/** The successors of the rotated ones among these keys. */
export async function sdkKeysByPredecessors(
  context: Context,
  rotatedFromIds: readonly string[],
): Promise<readonly SdkKey[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(SdkKey, { rotatedFromId: [...rotatedFromIds], workspaceId });
}
