import type { ActionScope } from '../platform/run-action.ts';
import type { CampaignId } from './campaign.contract.ts';
import { changeStatus, lockCampaign } from './campaign.lock.ts';

/** Archives a campaign permanently, in any status. No-op if already archived. */
export async function campaignArchive(
  scope: ActionScope,
  { id }: CampaignId,
): Promise<{ readonly id: string }> {
  const campaign = await lockCampaign(scope, id);
  if (campaign.status !== 'ARCHIVED')
    await changeStatus(scope, campaign, 'ARCHIVED', 'campaign.archive');
  return { id };
}
