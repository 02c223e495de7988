import type { ActionScope } from '../platform/run-action.ts';
import { addCampaign } from './campaign.add.ts';
import type { CampaignCreate } from './campaign.contract.ts';
import { applySettings } from './campaign.settings.ts';

/** Creates a draft in the viewer's workspace. It is not shown until it is launched. */
export function campaignCreate(
  scope: ActionScope,
  input: CampaignCreate,
): Promise<{ readonly id: string }> {
  return addCampaign(scope, campaign => applySettings(campaign, input));
}
