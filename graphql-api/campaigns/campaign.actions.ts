// The changes of a campaign. Each locks the campaign, so that `before` in the audit log is the value
// that it replaces, and increments the version. Ingest applies a change within a second.

import { type Audience, segmentsOf } from '../../schema/campaign/audience.ts';
import { LIVE_CAMPAIGNS_MAX } from '../../schema/campaign/campaign.ts';
import { changeEntity, lockInWorkspace } from '../platform/change-entity.ts';
import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { permits, workspaceOf } from '../platform/permit.ts';
import { Rejected, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { requireSegments } from '../segments/require-segments.ts';
import type {
  CampaignCreate,
  CampaignId,
  CampaignLaunch,
  CampaignUpdate,
} from './campaign.contract.ts';
import { Campaign } from './campaign.entity.ts';
import {
  applySettings,
  changeOf,
  columnsOf,
  requireComplete,
  requireRoom,
  requireSound,
  settingsOf,
} from './campaign.settings.ts';

type Id = { readonly id: string };

/** Enough for several campaigns a day over years. Includes archived campaigns. */
const CAMPAIGNS_MAX = 10_000;
const PREFIX = 'Copy of ';
/** The length of the name that leaves room for the prefix. */
const NAME_CHARACTERS_KEPT = 248;

/** Creates a draft in the viewer's workspace. It is not shown until it is launched. */
export async function campaignCreate(scope: ActionScope, input: CampaignCreate): Promise<Id> {
  await requireAudience(scope, input.audience ?? null, { field: 'audience', isUsed: false });
  return addCampaign(scope, campaign => applySettings(campaign, input));
}

/** Creates a draft with the settings of an existing campaign in any status. */
export async function campaignDuplicate(
  scope: ActionScope,
  { id: originalId }: CampaignId,
): Promise<Id> {
  const original = await lockCampaign(scope, originalId);
  const name = PREFIX + Array.from(original.name).slice(0, NAME_CHARACTERS_KEPT).join('');
  const settings = { ...columnsOf(original), name };
  return addCampaign(scope, copy => Object.assign(copy, settings), { copyOf: originalId });
}

/** Members can edit drafts; only owners can edit launched campaigns. */
export async function campaignUpdate(
  scope: ActionScope,
  { id, version, ...settings }: CampaignUpdate,
): Promise<Id> {
  const { em, viewer, deps, audit } = scope;
  const campaign = await lockCampaign(scope, id);
  if (campaign.status !== 'DRAFT' && !permits(viewer, 'owner')) reject('FORBIDDEN');
  requireNotArchived(campaign);
  requireVersion(campaign, version);
  if (settings.audience)
    await requireAudience(scope, settings.audience, {
      field: 'audience',
      isUsed: campaign.status === 'LIVE',
    });
  const before = settingsOf(campaign);
  applySettings(campaign, settings);
  const change = changeOf(before, settingsOf(campaign));
  if (change === undefined) return { id };
  requireSound(campaign);
  if (campaign.status === 'LIVE') requireComplete(campaign, deps.clock.nowMs());
  campaign.version += 1;
  await em.flush();
  await requireRoom(scope, id);
  await audit({ action: 'campaign.update', subjectId: id, ...change });
  return { id };
}

/** Launches a draft or a paused campaign, shown from now or from its start. No-op if already live. */
export async function campaignLaunch(
  scope: ActionScope,
  { id, version }: CampaignLaunch,
): Promise<Id> {
  const campaign = await lockCampaign(scope, id);
  if (campaign.status === 'LIVE') return { id };
  requireNotArchived(campaign);
  requireVersion(campaign, version);
  const nowMs = scope.deps.clock.nowMs();
  ofTheCampaign(() => {
    requireSound(campaign);
    requireComplete(campaign, nowMs);
  });
  // The audience has passed `requireSound`.
  const audience = (campaign.audience ?? null) as Audience | null;
  await requireAudience(scope, audience, { field: 'id', isUsed: true });
  await requireRoomForLive(scope, nowMs);
  return changeStatus(scope, campaign, 'LIVE', 'campaign.launch');
}

/**
 * Pauses a live campaign until it is launched again. No-op if already paused. Takes no version,
 * because a concurrent edit must not prevent a pause.
 */
export async function campaignPause(scope: ActionScope, { id }: CampaignId): Promise<Id> {
  const campaign = await lockCampaign(scope, id);
  if (campaign.status === 'PAUSED') return { id };
  if (campaign.status !== 'LIVE')
    reject('CAMPAIGN_STATUS', { field: ['id'], message: 'The campaign is not live.' });
  return changeStatus(scope, campaign, 'PAUSED', 'campaign.pause');
}

/** Archives a campaign permanently, in any status. No-op if already archived. */
export async function campaignArchive(scope: ActionScope, { id }: CampaignId): Promise<Id> {
  const campaign = await lockCampaign(scope, id);
  if (campaign.status === 'ARCHIVED') return { id };
  return changeStatus(scope, campaign, 'ARCHIVED', 'campaign.archive');
}

/** Adds a draft to the viewer's workspace, with the settings applied by `fill`. */
async function addCampaign(
  scope: ActionScope,
  fill: (campaign: Campaign) => void,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<Id> {
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
    subjectId: campaign.id,
    after: { ...settingsOf(campaign), ...facts },
  });
  return { id: campaign.id };
}

function lockCampaign(scope: ActionScope, id: string): Promise<Campaign> {
  return lockInWorkspace(scope, Campaign, id, 'campaign');
}

/** Requires the segments that the audience names. */
function requireAudience(
  scope: ActionScope,
  audience: Audience | null,
  requirement: Parameters<typeof requireSegments>[2],
): Promise<void> {
  return requireSegments(scope, audience === null ? [] : segmentsOf(audience), requirement);
}

function requireNotArchived({ status }: Campaign): void {
  if (status === 'ARCHIVED')
    reject('CAMPAIGN_STATUS', {
      field: ['id'],
      message: 'The campaign is archived and cannot be changed. Duplicate it instead.',
    });
}

/** Rejects the change if the viewer has not seen the current version. */
function requireVersion(campaign: Campaign, version: number): void {
  if (campaign.version === version) return;
  reject('CAMPAIGN_CHANGED', { field: ['version'], facts: { version: campaign.version } });
}

/** Limited because ingest evaluates all live campaigns for each request. */
async function requireRoomForLive(scope: ActionScope, nowMs: number): Promise<void> {
  const { em, viewer } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `live campaigns of ${workspaceId}`);
  const isOpen = { $or: [{ endsAt: null }, { endsAt: { $gt: new Date(nowMs) } }] };
  const live = await countOf(em, Campaign, { workspaceId, status: 'LIVE', ...isOpen });
  if (live >= LIVE_CAMPAIGNS_MAX) reject('TOO_MANY_LIVE_CAMPAIGNS');
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

function changeStatus(
  scope: ActionScope,
  campaign: Campaign,
  status: Campaign['status'],
  action: `campaign.${string}`,
): Promise<Id> {
  const changes = { status, version: campaign.version + 1 };
  return changeEntity(scope, campaign, changes, { action, shown: ({ status }) => ({ status }) });
}
