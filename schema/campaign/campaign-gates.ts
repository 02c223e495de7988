// Decides which campaigns a person sees. Every campaign and widget passes the same gates in the
// same order; the first closed gate gives the reason. Pure, so that the operator's preview returns
// exactly what an SDK would receive.

import { DAY_MS } from '../values/durations.ts';
import { type AudiencePerson, compileAudience } from './audience.ts';
import type { Campaign, CampaignEnd } from './campaign.ts';
import { type ConsentReason, type ConsentStatus, consentReason } from './consent-purposes.ts';

export type GateReason =
  | 'NOT_LIVE'
  | 'NOT_STARTED'
  | 'ENDED'
  | 'OTHER_SURFACE'
  | 'NOT_IN_AUDIENCE'
  | ConsentReason
  | 'CLICKED'
  | 'DISMISSED'
  | 'HISTORY_TOO_LONG'
  | 'TOTAL_CAP'
  | 'WINDOW_CAP'
  | 'INTERVAL_CAP'
  | 'WORKSPACE_DAILY_CAP'
  | 'WORKSPACE_INTERVAL_CAP';

/** The fields of a campaign, or of a widget queued by a journey, that gates and display
 * order need. */
export type Gated = Pick<
  Campaign<unknown>,
  | 'id'
  | 'status'
  | 'surfaces'
  | 'priority'
  | 'startsAtMs'
  | 'endsAtMs'
  | 'consentPurpose'
  | 'endsOn'
  | 'caps'
  | 'isCapExempt'
  | 'createdAtMs'
> & {
  /** Undefined if it is for everyone, including unidentified people. */
  readonly isFor: ((person: AudiencePerson) => boolean) | undefined;
};

/** The impressions of one campaign to a person, and the person's interactions with it. */
export type Exposure = {
  readonly impressions: number;
  readonly lastImpressionMs: number | undefined;
  /** The impressions of the last 31 days, the longest window. */
  readonly recentMs: readonly number[];
  readonly isClicked: boolean;
  readonly isDismissed: boolean;
};

export type Person = AudiencePerson & {
  readonly userId: string;
  readonly isSuppressed: boolean;
  /** The consents, by purpose. */
  readonly consents: ReadonlyMap<string, ConsentStatus>;
  /** The exposures, by campaign. */
  readonly exposures: ReadonlyMap<string, Exposure>;
  /** The person has more exposures than are read, so their history is incomplete. */
  readonly isHistoryCut: boolean;
};

/** The caps across all campaigns of a workspace; null if unlimited. */
export type WorkspaceCaps = {
  readonly dailyMax: number | null;
  readonly intervalSecondsMin: number | null;
};

/** The person, the surface and the time of a request. */
export type Viewer = {
  readonly person: Person | undefined;
  /** Undefined if the request has no surface filter. */
  readonly surface: string | undefined;
  readonly nowMs: number;
  readonly workspaceReason: GateReason | undefined;
};

type Selection<G> = {
  /** In display order. */
  readonly shown: readonly G[];
  readonly skipped: readonly { readonly campaign: G; readonly reason: GateReason }[];
};

export function selectCampaigns<G extends Gated>(
  campaigns: readonly G[],
  viewer: Viewer,
): Selection<G> {
  const shown: G[] = [];
  const skipped: { campaign: G; reason: GateReason }[] = [];
  for (const campaign of campaigns) {
    const reason = gate(campaign, viewer);
    if (reason === undefined) shown.push(campaign);
    else skipped.push({ campaign, reason });
  }
  return { shown: shown.sort(compareForDisplay), skipped };
}

/** The first reason why the campaign is not shown to the viewer; undefined if it is shown. */
export function gate(campaign: Gated, viewer: Viewer): GateReason | undefined {
  return (
    scheduleReason(campaign, viewer.nowMs) ??
    surfaceReason(campaign, viewer.surface) ??
    personReason(campaign, viewer.person) ??
    historyReason(campaign, viewer) ??
    (campaign.isCapExempt ? undefined : viewer.workspaceReason)
  );
}

/** Orders by highest priority, then by oldest campaign. */
export function compareForDisplay(a: Gated, b: Gated): number {
  return (
    b.priority - a.priority ||
    a.createdAtMs - b.createdAtMs ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  );
}

/** Prepares a campaign, without its content, to be gated for many viewers. */
export function toGated(campaign: Campaign<unknown>): Gated {
  const { audience } = campaign;
  return {
    id: campaign.id,
    status: campaign.status,
    surfaces: campaign.surfaces,
    priority: campaign.priority,
    startsAtMs: campaign.startsAtMs,
    endsAtMs: campaign.endsAtMs,
    consentPurpose: campaign.consentPurpose,
    endsOn: campaign.endsOn,
    caps: campaign.caps,
    isCapExempt: campaign.isCapExempt,
    createdAtMs: campaign.createdAtMs,
    isFor: audience === null ? undefined : compileAudience(audience),
  };
}

export function toViewer(
  person: Person | undefined,
  surface: string | undefined,
  nowMs: number,
  caps: WorkspaceCaps,
): Viewer {
  const workspaceReason = person && workspaceCapReason(person, caps, nowMs);
  return { person, surface, nowMs, workspaceReason };
}

function scheduleReason(campaign: Gated, nowMs: number): GateReason | undefined {
  if (campaign.status !== 'LIVE') return 'NOT_LIVE';
  if (campaign.startsAtMs !== null && nowMs < campaign.startsAtMs) return 'NOT_STARTED';
  return campaign.endsAtMs !== null && nowMs >= campaign.endsAtMs ? 'ENDED' : undefined;
}

function surfaceReason({ surfaces }: Gated, surface: string | undefined): GateReason | undefined {
  const isShown = surface === undefined || surfaces.length === 0 || surfaces.includes(surface);
  return isShown ? undefined : 'OTHER_SURFACE';
}

function personReason(campaign: Gated, person: Person | undefined): GateReason | undefined {
  const { isFor, consentPurpose } = campaign;
  if (isFor !== undefined && (person === undefined || !isFor(person))) return 'NOT_IN_AUDIENCE';
  const status = person?.consents.get(consentPurpose);
  return consentReason(consentPurpose, status, person?.isSuppressed === true);
}

/** Checks first the interactions that end the campaign for the person, then the campaign's own
 * caps. */
function historyReason(campaign: Gated, { person, nowMs }: Viewer): GateReason | undefined {
  const exposure = person?.exposures.get(campaign.id);
  if (exposure !== undefined) {
    const has = (end: CampaignEnd) => campaign.endsOn.includes(end);
    if (exposure.isClicked && has('clicked')) return 'CLICKED';
    if (exposure.isDismissed && has('dismissed')) return 'DISMISSED';
  }
  if (person?.isHistoryCut === true && hasMemory(campaign)) return 'HISTORY_TOO_LONG';
  return exposure && capReason(campaign, exposure, nowMs);
}

/** Whether the decision depends on earlier exposures. */
function hasMemory({ endsOn, caps }: Gated): boolean {
  return endsOn.length > 0 || Object.values(caps).some(cap => cap !== null);
}

function capReason({ caps }: Gated, exposure: Exposure, nowMs: number): GateReason | undefined {
  const { totalMax, windowMax, windowSeconds, intervalSecondsMin } = caps;
  if (totalMax !== null && exposure.impressions >= totalMax) return 'TOTAL_CAP';
  if (windowMax !== null && windowSeconds !== null) {
    const sinceMs = nowMs - windowSeconds * 1000;
    if (countSince(exposure.recentMs, sinceMs) >= windowMax) return 'WINDOW_CAP';
  }
  const isTooSoon = isWithin(intervalSecondsMin, exposure.lastImpressionMs, nowMs);
  return isTooSoon ? 'INTERVAL_CAP' : undefined;
}

function workspaceCapReason(
  { exposures, isHistoryCut }: Person,
  { dailyMax, intervalSecondsMin }: WorkspaceCaps,
  nowMs: number,
): GateReason | undefined {
  if (dailyMax === null && intervalSecondsMin === null) return undefined;
  if (isHistoryCut) return 'HISTORY_TOO_LONG';
  let lastMs: number | undefined;
  let today = 0;
  for (const { recentMs, lastImpressionMs } of exposures.values()) {
    if (dailyMax !== null) today += countSince(recentMs, nowMs - DAY_MS);
    if (lastImpressionMs !== undefined)
      lastMs = Math.max(lastMs ?? lastImpressionMs, lastImpressionMs);
  }
  if (dailyMax !== null && today >= dailyMax) return 'WORKSPACE_DAILY_CAP';
  return isWithin(intervalSecondsMin, lastMs, nowMs) ? 'WORKSPACE_INTERVAL_CAP' : undefined;
}

function countSince(timesMs: readonly number[], sinceMs: number): number {
  let count = 0;
  for (const timeMs of timesMs) if (timeMs > sinceMs) count++;
  return count;
}

function isWithin(seconds: number | null, lastMs: number | undefined, nowMs: number): boolean {
  return seconds !== null && lastMs !== undefined && nowMs - lastMs < seconds * 1000;
}
