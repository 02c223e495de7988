import { LockMode } from '@mikro-orm/postgresql';
import { LIVE_CAMPAIGNS_MAX } from '../../schema/campaign/campaign.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Campaign } from './campaign.entity.ts';

/** The workspace's campaign, locked, so that the audit's `before` is what this change replaced. */
export async function lockCampaign({ em, viewer }: ActionScope, id: string): Promise<Campaign> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const campaign = await em.findOne(Campaign, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return campaign ?? reject('NOT_FOUND', { field: ['id'], message: 'There is no such campaign.' });
}

/** Nobody overwrites, or launches, what they have not seen. */
export function requireVersion(campaign: Campaign, version: number): void {
  if (campaign.version === version) return;
  reject('CAMPAIGN_CHANGED', { field: ['version'], facts: { version: campaign.version } });
}

/** Ingest looks at all live campaigns for each request, and shows no more than so many. */
export async function requireRoomForLive(scope: ActionScope, nowMs: number): Promise<void> {
  const { em, viewer } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `live campaigns of ${workspaceId}`);
  const isOpen = { $or: [{ endsAt: null }, { endsAt: { $gt: new Date(nowMs) } }] };
  const live = await em.count(Campaign, { workspaceId, status: 'LIVE', ...isOpen });
  if (live >= LIVE_CAMPAIGNS_MAX) reject('TOO_MANY_LIVE_CAMPAIGNS');
}

/** Moves it to the status and says so; the version goes up, as with every change. */
export async function changeStatus(
  { em, audit }: ActionScope,
  campaign: Campaign,
  status: Campaign['status'],
  action: `campaign.${string}`,
): Promise<void> {
  const before = { status: campaign.status };
  campaign.status = status;
  campaign.version += 1;
  await em.flush();
  await audit({
    action,
    subjectType: 'campaign',
    subjectId: campaign.id,
    before,
    after: { status },
  });
}
