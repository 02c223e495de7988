// The time range of a list of rejected events.

export type Range = { readonly from: string; readonly to: string };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const RANGES = [
  { name: 'hour', label: 'Last hour', lengthMs: HOUR_MS },
  { name: 'day', label: '24 hours', lengthMs: DAY_MS },
  { name: 'week', label: '7 days', lengthMs: 7 * DAY_MS },
] as const;

export const CUSTOM = 'custom';
export const RANGE_DEFAULT = 'day';

/** The maximum of the API for lists. */
export const DAYS_MAX = 31;

type Chosen = {
  readonly name: string | null;
  readonly from: string | null;
  readonly to: string | null;
};

/** Undefined if the chosen times are not a range that the API accepts. */
export function rangeOf({ name, from, to }: Chosen, nowMs: number): Range | undefined {
  if (name === CUSTOM) return customOf(from ?? '', to ?? '');
  const { lengthMs } = RANGES.find(one => one.name === (name ?? RANGE_DEFAULT)) ?? RANGES[1];
  return { from: new Date(nowMs - lengthMs).toISOString(), to: new Date(nowMs).toISOString() };
}

function customOf(from: string, to: string): Range | undefined {
  const lengthMs = Date.parse(to) - Date.parse(from);
  return lengthMs > 0 && lengthMs <= DAYS_MAX * DAY_MS ? { from, to } : undefined;
}
