import type { ActionScope } from '../platform/run-action.ts';
import type { CampaignId } from './campaign.contract.ts';
import { changeStatus, lockCampaign } from './campaign.lock.ts';

/** Ends a campaign for ever, live or not; an archived one stays as it is. */
export async function campaignArchive(
  scope: ActionScope,
  { id }: CampaignId,
): Promise<{ readonly id: string }> {
  const campaign = await lockCampaign(scope, id);
  if (campaign.status !== 'ARCHIVED')
    await changeStatus(scope, campaign, 'ARCHIVED', 'campaign.archive');
  return { id };
}
