import { permits } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { CampaignUpdate } from './campaign.contract.ts';
import { lockCampaign, requireVersion } from './campaign.lock.ts';
import {
  applySettings,
  changeOf,
  requireComplete,
  requireRoom,
  requireSound,
  settingsOf,
} from './campaign.settings.ts';

/** Members can edit drafts; only owners can edit launched campaigns. Ingest applies the change
 * within a second. */
export async function campaignUpdate(
  scope: ActionScope,
  input: CampaignUpdate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const campaign = await lockCampaign(scope, input.id);
  if (campaign.status !== 'DRAFT' && !permits(viewer, 'owner')) reject('FORBIDDEN');
  if (campaign.status === 'ARCHIVED')
    reject('CAMPAIGN_STATUS', { field: ['id'], message: 'The campaign is archived.' });
  requireVersion(campaign, input.version);
  const before = settingsOf(campaign);
  applySettings(campaign, input);
  const change = changeOf(before, settingsOf(campaign));
  if (change === undefined) return { id: campaign.id };
  requireSound(campaign);
  if (campaign.status === 'LIVE') requireComplete(campaign, deps.clock.nowMs());
  campaign.version += 1;
  await em.flush();
  await requireRoom(scope, campaign.id);
  await audit({
    action: 'campaign.update',
    subjectType: 'campaign',
    subjectId: campaign.id,
    ...change,
  });
  return { id: campaign.id };
}
