import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { CampaignId } from './campaign.contract.ts';
import { changeStatus, lockCampaign } from './campaign.lock.ts';

/** Pauses a live campaign until it is launched again. No-op if already paused. Takes no version,
 * because a concurrent edit must not prevent a pause. */
export async function campaignPause(
  scope: ActionScope,
  { id }: CampaignId,
): Promise<{ readonly id: string }> {
  const campaign = await lockCampaign(scope, id);
  if (campaign.status === 'PAUSED') return { id };
  if (campaign.status !== 'LIVE')
    reject('CAMPAIGN_STATUS', { field: ['id'], message: 'The campaign is not live.' });
  await changeStatus(scope, campaign, 'PAUSED', 'campaign.pause');
  return { id };
}
