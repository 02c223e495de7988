// The settings of a campaign: their form in the audit log, their validation, and their columns.

import { isDeepStrictEqual } from 'node:util';
import { type CampaignEnd, type Caps, campaignSchema } from '../../schema/campaign/campaign.ts';
import { CAMPAIGN_BYTES, CAMPAIGN_BYTES_MAX } from '../../schema/campaign/campaign-bytes.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { Rejected, type Rejection, reject, rejection } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { CampaignUpdate } from './campaign.contract.ts';
import type { Campaign } from './campaign.entity.ts';

type Settings = Readonly<Record<string, unknown>>;

const CAPS = ['totalMax', 'windowMax', 'windowSeconds', 'intervalSecondsMin'] as const;

const SETTINGS = [
  'name',
  'type',
  'surfaces',
  'content',
  'priority',
  'startsAt',
  'endsAt',
  'audience',
  'consentPurpose',
  'endsOn',
  'isCapExempt',
  'variants',
] as const;

/** The settings as plain JSON. */
export function settingsOf(campaign: Campaign): Settings {
  const settings = { ...pick(campaign, SETTINGS), caps: capsOf(campaign) };
  return JSON.parse(JSON.stringify(settings)) as Settings;
}

export function columnsOf(campaign: Campaign): Settings {
  return pick(campaign, [...SETTINGS, ...CAPS]);
}

export function capsOf(campaign: Campaign): Caps {
  return pick(campaign, CAPS) as Caps;
}

function pick(campaign: Campaign, names: readonly (keyof Campaign)[]): Settings {
  return Object.fromEntries(names.map(name => [name, campaign[name] ?? null]));
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
  { caps, surfaces, variants, ...others }: Omit<CampaignUpdate, 'id' | 'version'>,
): void {
  const columns = {
    ...others,
    surfaces: surfaces === null ? [] : surfaces,
    variants: variants === null ? [] : variants,
    ...(caps === null ? UNLIMITED : caps),
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  Object.assign(campaign, Object.fromEntries(given));
}

const UNLIMITED = Object.fromEntries(CAPS.map(name => [name, null]));

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
  const [row] = await rowsOf(
    em,
    sql<{ bytes: number }>`
      SELECT ${sql.raw(CAMPAIGN_BYTES)} AS bytes FROM campaigns AS campaign WHERE id = ${id}`,
  );
  if (row!.bytes > CAMPAIGN_BYTES_MAX) reject('CAMPAIGN_TOO_LARGE');
}

export function endsOf(campaign: Campaign): CampaignEnd[] {
  return campaign.endsOn as CampaignEnd[];
}
