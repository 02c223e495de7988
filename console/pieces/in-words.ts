// Numbers, money and moments as the viewer's locale writes them.

const locale = undefined;
const count = new Intl.NumberFormat(locale);
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const minute = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const ownDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const bytes = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
  notation: 'compact',
  maximumFractionDigits: 1,
});
export const inBytes = (value: number) => bytes.format(value);
export const inCount = (value: number) => count.format(value);
export const inShort = (value: number) => compact.format(value);
/** Formats a share from 0 to 1. */
export const inPercent = (value: number) => share.format(value);
export const inMoment = (iso: string) => moment.format(new Date(iso));
export const inExactMoment = (iso: string) => exact.format(new Date(iso));
export const inClock = (iso: string) => clock.format(new Date(iso));
export const inMinute = (ms: number) => minute.format(ms);
/** Formats a calendar day, YYYY-MM-DD. */
export const inDay = (date: string) => day.format(new Date(`${date}T00:00:00Z`));

/** The day of a moment, in the viewer's zone. */
export const inDayOf = (iso: string) => ownDay.format(new Date(iso));

/** The amount stays the exact decimal of the API: Intl receives its digits as a string. */
export function inMoney(amount: string, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(amount as unknown as number);
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** For example "5 minutes ago" or "in 3 days". */
export function inRelation(iso: string, nowMs: number): string {
  const seconds = (new Date(iso).getTime() - nowMs) / 1_000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(0, 'second');
}

/** How long something takes or has taken, such as "4 minutes": of two of a larger unit on, in that. */
export function inDuration(seconds: number): string {
  const [unit, length] = UNITS.slice(2).find(([, one]) => seconds >= 2 * one) ?? ['second', 1];
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.trunc(seconds / length));
}

/** `PAYOUT_REQUESTED` as "Payout requested": for names that the API may add to. */
export function inPlainWords(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** For example `₹`, or the three-letter code if the currency has no symbol. */
export function currencySymbol(currency: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
}
