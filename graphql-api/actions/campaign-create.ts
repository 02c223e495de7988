import type { CampaignCreate } from '../../schema/wire/campaign.ts';
import { addCampaign } from './campaign-add.ts';
import { applySettings } from './campaign-settings.ts';
import type { ActionScope } from './run-action.ts';

/** A draft in the viewer's workspace; nobody is shown it before it is launched. */
export function campaignCreate(
  scope: ActionScope,
  input: CampaignCreate,
): Promise<{ readonly id: string }> {
  return addCampaign(scope, campaign => applySettings(campaign, input));
}
