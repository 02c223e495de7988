import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Campaign } from './campaign.entity.ts';
import { requireRoom, requireSound, settingsOf } from './campaign.settings.ts';

/** Enough for several campaigns a day over years. Includes archived campaigns. */
const CAMPAIGNS_MAX = 10_000;

/** Adds a draft to the viewer's workspace, with the settings applied by `fill`. */
export async function addCampaign(
  scope: ActionScope,
  fill: (campaign: Campaign) => void,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `campaigns of ${workspaceId}`);
  if ((await countOf(em, Campaign, { workspaceId })) >= CAMPAIGNS_MAX) reject('TOO_MANY_CAMPAIGNS');
  const now = new Date(deps.clock.nowMs());
  const campaign = em.create(Campaign, {
    id: deps.newId(),
    workspaceId,
    name: '',
    type: '',
    surfaces: [],
    content: {},
    audience: null,
    variants: [],
    createdAt: now,
    updatedAt: now,
    changedIn: '',
  });
  fill(campaign);
  requireSound(campaign);
  await em.persist(campaign).flush();
  await requireRoom(scope, campaign.id);
  await audit({
    action: 'campaign.create',
    subjectType: 'campaign',
    subjectId: campaign.id,
    after: { ...settingsOf(campaign), ...facts },
  });
  return { id: campaign.id };
}
