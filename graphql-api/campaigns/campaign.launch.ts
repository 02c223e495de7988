import { Rejected, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { CampaignLaunch } from './campaign.contract.ts';
import { changeStatus, lockCampaign, requireRoomForLive, requireVersion } from './campaign.lock.ts';
import { requireComplete, requireSound } from './campaign.settings.ts';

/** Launches a draft or a paused campaign, shown from now or from its start. No-op if
 * already live. */
export async function campaignLaunch(
  scope: ActionScope,
  { id, version }: CampaignLaunch,
): Promise<{ readonly id: string }> {
  const campaign = await lockCampaign(scope, id);
  if (campaign.status === 'LIVE') return { id };
  if (campaign.status === 'ARCHIVED')
    reject('CAMPAIGN_STATUS', { field: ['id'], message: 'The campaign is archived.' });
  requireVersion(campaign, version);
  const nowMs = scope.deps.clock.nowMs();
  ofTheCampaign(() => {
    requireSound(campaign);
    requireComplete(campaign, nowMs);
  });
  await requireRoomForLive(scope, nowMs);
  await changeStatus(scope, campaign, 'LIVE', 'campaign.launch');
  return { id };
}

/** The faults are in the campaign, not in this input, so `field` is `id` and the message names the
 * field of the campaign. */
function ofTheCampaign(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const [first, ...others] = error.rejections.map(({ message }) => ({
      code: 'CAMPAIGN_INCOMPLETE' as const,
      message,
      field: ['id'],
    }));
    throw new Rejected([first!, ...others]);
  }
}
