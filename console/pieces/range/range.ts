// The time range of a list or a report, as it is kept in the address.

export type Range = { readonly from: string; readonly to: string };

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const PRESETS = {
  hour: { label: 'Last hour', lengthMs: HOUR_MS },
  day: { label: '24 hours', lengthMs: DAY_MS },
  /** In the time zone of the browser, so its length can differ from a day's. */
  yesterday: { label: 'Yesterday', lengthMs: undefined },
  week: { label: '7 days', lengthMs: 7 * DAY_MS },
  month: { label: '30 days', lengthMs: 30 * DAY_MS },
  quarter: { label: '90 days', lengthMs: 90 * DAY_MS },
  year: { label: '1 year', lengthMs: 365 * DAY_MS },
} as const;

export type PresetName = keyof typeof PRESETS;

/** The ranges that a view offers, and the longest that the API accepts for it. */
export type RangeLimits = {
  readonly presets: readonly PresetName[];
  readonly presetDefault: PresetName;
  readonly daysMax: number;
};

export const CUSTOM = 'custom';

export type ChosenRange = {
  /** A preset or `CUSTOM`. */
  readonly name: string | null;
  readonly from: string | null;
  readonly to: string | null;
};

/** The preset, or the default one in the place of an unknown name. */
export function presetOf(name: string | null, { presets, presetDefault }: RangeLimits): PresetName {
  return presets.find(one => one === name) ?? presetDefault;
}

/** Undefined if the chosen times are not a range that the API accepts. */
export function rangeOf(
  { name, from, to }: ChosenRange,
  limits: RangeLimits,
  nowMs: number,
): Range | undefined {
  if (name === CUSTOM) return customOf(from ?? '', to ?? '', limits.daysMax);
  const { lengthMs } = PRESETS[presetOf(name, limits)];
  if (lengthMs === undefined) return yesterdayAt(nowMs);
  return { from: new Date(nowMs - lengthMs).toISOString(), to: new Date(nowMs).toISOString() };
}

function yesterdayAt(nowMs: number): Range {
  const midnight = new Date(new Date(nowMs).setHours(0, 0, 0, 0));
  const before = new Date(midnight);
  before.setDate(before.getDate() - 1);
  return { from: before.toISOString(), to: midnight.toISOString() };
}

function customOf(from: string, to: string, daysMax: number): Range | undefined {
  const lengthMs = Date.parse(to) - Date.parse(from);
  return lengthMs > 0 && lengthMs <= daysMax * DAY_MS ? { from, to } : undefined;
}
