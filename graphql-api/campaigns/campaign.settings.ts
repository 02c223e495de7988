// The settings of a campaign: their form in the audit log, their validation, and their columns.

import { isDeepStrictEqual } from 'node:util';
import { type CampaignEnd, type Caps, campaignSchema } from '../../schema/campaign/campaign.ts';
import { CAMPAIGN_BYTES, CAMPAIGN_BYTES_MAX } from '../../schema/campaign/campaign-bytes.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { Rejected, type Rejection, reject, rejection } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { CampaignUpdate } from './campaign.contract.ts';
import type { Campaign } from './campaign.entity.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The settings as plain JSON. */
export function settingsOf(campaign: Campaign): Settings {
  return JSON.parse(
    JSON.stringify({
      name: campaign.name,
      type: campaign.type,
      surfaces: campaign.surfaces,
      content: campaign.content,
      priority: campaign.priority,
      startsAt: campaign.startsAt ?? null,
      endsAt: campaign.endsAt ?? null,
      audience: campaign.audience ?? null,
      consentPurpose: campaign.consentPurpose,
      endsOn: campaign.endsOn,
      caps: capsOf(campaign),
      isCapExempt: campaign.isCapExempt,
      variants: campaign.variants,
    }),
  ) as Settings;
}

export function capsOf(campaign: Campaign): Caps {
  return {
    totalMax: campaign.totalMax ?? null,
    windowMax: campaign.windowMax ?? null,
    windowSeconds: campaign.windowSeconds ?? null,
    intervalSecondsMin: campaign.intervalSecondsMin ?? null,
  };
}

/** The changed settings before and after; undefined if nothing changed. */
export function changeOf(
  before: Settings,
  after: Settings,
): { readonly before: Settings; readonly after: Settings } | undefined {
  const names = Object.keys(after).filter(name => !isDeepStrictEqual(before[name], after[name]));
  if (names.length === 0) return undefined;
  const only = (settings: Settings) =>
    Object.fromEntries(names.map(name => [name, settings[name] ?? null]));
  return { before: only(before), after: only(after) };
}

/** Omitted settings are unchanged. */
export function applySettings(
  campaign: Campaign,
  input: Omit<CampaignUpdate, 'id' | 'version'>,
): void {
  if (input.name !== undefined) campaign.name = input.name;
  if (input.type !== undefined) campaign.type = input.type;
  if (input.surfaces !== undefined) campaign.surfaces = input.surfaces ?? [];
  if (input.content !== undefined) campaign.content = input.content;
  if (input.priority !== undefined) campaign.priority = input.priority;
  if (input.startsAt !== undefined) campaign.startsAt = input.startsAt;
  if (input.endsAt !== undefined) campaign.endsAt = input.endsAt;
  if (input.audience !== undefined) campaign.audience = input.audience;
  if (input.consentPurpose !== undefined) campaign.consentPurpose = input.consentPurpose;
  if (input.endsOn !== undefined) campaign.endsOn = input.endsOn;
  if (input.caps !== undefined) applyCaps(campaign, input.caps ?? UNLIMITED);
  if (input.isCapExempt !== undefined) campaign.isCapExempt = input.isCapExempt;
  if (input.variants !== undefined) campaign.variants = input.variants ?? [];
}

const UNLIMITED: Caps = {
  totalMax: null,
  windowMax: null,
  windowSeconds: null,
  intervalSecondsMin: null,
};

function applyCaps(campaign: Campaign, caps: Caps): void {
  campaign.totalMax = caps.totalMax;
  campaign.windowMax = caps.windowMax;
  campaign.windowSeconds = caps.windowSeconds;
  campaign.intervalSecondsMin = caps.intervalSecondsMin;
}

/** Validates the merged campaign, because some rules span fields that the input may omit. */
export function requireSound(campaign: Campaign): void {
  const { startsAt: _from, endsAt: _to, ...settings } = settingsOf(campaign);
  const checked = campaignSchema.safeParse({ ...settings, ...inMs(campaign) });
  if (checked.success) return;
  const [first, ...others] = contractRejections(checked.error).map(inInputsWords);
  throw new Rejected([first!, ...others]);
}

function inMs({ startsAt, endsAt }: Campaign) {
  return { startsAtMs: startsAt?.getTime() ?? null, endsAtMs: endsAt?.getTime() ?? null };
}

function inInputsWords(one: Rejection): Rejection {
  const [name, ...rest] = one.field ?? [];
  if (name !== 'startsAtMs' && name !== 'endsAtMs') return one;
  const own = name.slice(0, -'Ms'.length);
  return { ...one, field: [own, ...rest], message: one.message.replace(name, own) };
}

/** Checks what a draft can lack but a live campaign cannot. Reports all faults at once. */
export function requireComplete(campaign: Campaign, nowMs: number): void {
  const faults: Rejection[] = [];
  const lack = (field: string, message: string) =>
    faults.push(rejection('CAMPAIGN_INCOMPLETE', { field: [field], message }));
  if (!hasContent(campaign)) lack('content', 'content: must not be empty.');
  if (campaign.endsAt && campaign.endsAt.getTime() <= nowMs)
    lack('endsAt', 'endsAt: must be in the future.');
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected([first, ...others]);
}

/** The campaign's own content, or the content of every variant with a weight above 0. */
function hasContent({ content, variants }: Campaign): boolean {
  if (Object.keys(content).length > 0) return true;
  const seen = (variants as { readonly weight: number; readonly content?: object }[]).filter(
    ({ weight }) => weight > 0,
  );
  return seen.length > 0 && seen.every(one => Object.keys(one.content ?? {}).length > 0);
}

/** Checks the size of the stored row, because ingest skips larger campaigns. */
export async function requireRoom({ em }: ActionScope, id: string): Promise<void> {
  const [row] = await em.execute<{ bytes: number }[]>(
    `SELECT ${CAMPAIGN_BYTES} AS bytes FROM campaigns AS campaign WHERE id = ?`,
    [id],
  );
  if (row!.bytes > CAMPAIGN_BYTES_MAX) reject('CAMPAIGN_TOO_LARGE');
}

export function endsOf(campaign: Campaign): CampaignEnd[] {
  return campaign.endsOn as CampaignEnd[];
}
