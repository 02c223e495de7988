import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { escapeLike } from '../platform/database/escape-like.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { Rejected } from '../platform/rejected.ts';
import { type CampaignFilter, campaignFilterContract } from './campaign.contract.ts';
import { Campaign } from './campaign.entity.ts';

const campaigns = workspaceReads(Campaign);

export const campaignsByIds = campaigns.byIds;

export async function campaignsPage(
  context: Context,
  page: PageRequest,
  filter: CampaignFilter,
): Promise<Page<Campaign>> {
  const { success, data, error } = campaignFilterContract.safeParse(filter);
  if (!success) throw new Rejected(contractRejections(error));
  const { status, type, surface, search } = data;
  return campaigns.page(context, page, {
    ...(status && { status }),
    ...(type && { type }),
    ...(surface && { $or: [{ surfaces: { $contains: [surface] } }, { surfaces: { $eq: [] } }] }),
    ...(search && { name: { $ilike: `%${escapeLike(search)}%` } }),
  } as FilterQuery<Campaign>);
}
