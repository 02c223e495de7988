import { LockMode } from '@mikro-orm/postgresql';
import { LIVE_CAMPAIGNS_MAX } from '../../schema/campaign/campaign.ts';
import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Campaign } from './campaign.entity.ts';

/** Locks the workspace's campaign, so that `before` in the audit log is the value this change
 * replaces. */
export async function lockCampaign({ em, viewer }: ActionScope, id: string): Promise<Campaign> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const campaign = await em.findOne(Campaign, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return (
    campaign ?? reject('NOT_FOUND', { field: ['id'], message: 'No campaign exists with this ID.' })
  );
}

/** Rejects the change if the viewer has not seen the current version. */
export function requireVersion(campaign: Campaign, version: number): void {
  if (campaign.version === version) return;
  reject('CAMPAIGN_CHANGED', { field: ['version'], facts: { version: campaign.version } });
}

/** Limited because ingest evaluates all live campaigns for each request. */
export async function requireRoomForLive(scope: ActionScope, nowMs: number): Promise<void> {
  const { em, viewer } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `live campaigns of ${workspaceId}`);
  const isOpen = { $or: [{ endsAt: null }, { endsAt: { $gt: new Date(nowMs) } }] };
  const live = await countOf(em, Campaign, { workspaceId, status: 'LIVE', ...isOpen });
  if (live >= LIVE_CAMPAIGNS_MAX) reject('TOO_MANY_LIVE_CAMPAIGNS');
}

/** Changes the status and writes an audit entry. Increments the version, as every change does. */
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
