import type { ActionScope } from '../platform/run-action.ts';
import { addCampaign } from './campaign.add.ts';
import type { CampaignId } from './campaign.contract.ts';
import { lockCampaign } from './campaign.lock.ts';
import { capsOf, endsOf } from './campaign.settings.ts';

const PREFIX = 'Copy of ';
/** The length of the name that leaves room for the prefix. */
const NAME_CHARACTERS_KEPT = 248;

/** Creates a draft with the settings of an existing campaign in any status. */
export async function campaignDuplicate(
  scope: ActionScope,
  { id: originalId }: CampaignId,
): Promise<{ readonly id: string }> {
  const original = await lockCampaign(scope, originalId);
  const name = PREFIX + Array.from(original.name).slice(0, NAME_CHARACTERS_KEPT).join('');
  return addCampaign(
    scope,
    copy =>
      Object.assign(copy, {
        name,
        type: original.type,
        surfaces: [...original.surfaces],
        content: original.content,
        priority: original.priority,
        startsAt: original.startsAt ?? null,
        endsAt: original.endsAt ?? null,
        audience: original.audience ?? null,
        consentPurpose: original.consentPurpose,
        endsOn: endsOf(original),
        ...capsOf(original),
        isCapExempt: original.isCapExempt,
        variants: original.variants,
      }),
    { copyOf: originalId },
  );
}
