import type { ActionScope } from '../platform/run-action.ts';
import { addCampaign } from './campaign.add.ts';
import type { CampaignCreate } from './campaign.contract.ts';
import { applySettings } from './campaign.settings.ts';

/** A draft in the viewer's workspace; nobody is shown it before it is launched. */
export function campaignCreate(
  scope: ActionScope,
  input: CampaignCreate,
): Promise<{ readonly id: string }> {
  return addCampaign(scope, campaign => applySettings(campaign, input));
}
