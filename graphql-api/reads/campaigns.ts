import type { FilterQuery } from '@mikro-orm/postgresql';
import { Campaign } from '../../schema/entities/campaign.ts';
import { type CampaignFilter, campaignFilterContract } from '../../schema/wire/campaign.ts';
import { workspaceOf } from '../access/permit.ts';
import type { Context } from '../context.ts';
import { contractRejections } from '../contract-rejections.ts';
import { Rejected } from '../rejected.ts';
import { type Page, type PageRequest, readPage } from './page.ts';

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
    ...(search && { name: { $ilike: `%${literally(search)}%` } }),
  } as FilterQuery<Campaign>;
}

/** Without a meaning for LIKE. */
export function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
