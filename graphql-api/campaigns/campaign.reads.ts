import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { escapeLike } from '../platform/database/escape-like.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Rejected } from '../platform/rejected.ts';
import { type CampaignFilter, campaignFilterContract } from './campaign.contract.ts';
import { Campaign } from './campaign.entity.ts';

export async function campaignsPage(
  context: Context,
  page: PageRequest,
  filter: CampaignFilter,
): Promise<Page<Campaign>> {
  const where = whereOf(workspaceOf(context.viewer), filter);
  return readPage(await context.read(), Campaign, where, page);
}

export async function campaignsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Campaign[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(Campaign, { id: { $in: [...ids] }, workspaceId });
}

function whereOf(workspaceId: string, given: CampaignFilter): FilterQuery<Campaign> {
  const { success, data, error } = campaignFilterContract.safeParse(given);
  if (!success) throw new Rejected(contractRejections(error));
  const { status, type, surface, search } = data;
  return {
    workspaceId,
    ...(status && { status }),
    ...(type && { type }),
    ...(surface && { $or: [{ surfaces: { $contains: [surface] } }, { surfaces: { $eq: [] } }] }),
    ...(search && { name: { $ilike: `%${escapeLike(search)}%` } }),
  } as FilterQuery<Campaign>;
}
