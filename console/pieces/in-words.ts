// Numbers, money and dates as the viewer's locale writes them; words in English, as all of the console.

const WORDS = 'en';
const locale = undefined;
const count = new Intl.NumberFormat(locale);
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const minute = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const second = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const shortDay = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(WORDS, { numeric: 'always' });
const compact = new Intl.NumberFormat(WORDS, { notation: 'compact', maximumFractionDigits: 1 });
const bytes = new Intl.NumberFormat(WORDS, {
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** Between an amount and its fraction: "." in English, "," in German. */
export const DECIMAL_SIGN = partOf(1.5, 'decimal') ?? '.';

export const inBytes = (value: number) => withDecimalSign(bytes, value);
export const inCount = (value: number) => count.format(value);
/** A count that may be incomplete; nothing is known of a count of 0. */
export const inAtLeast = (value: number) =>
  value === 0 ? 'Unknown' : `At least ${inCount(value)}`;
export const inShort = (value: number) => withDecimalSign(compact, value);
/** Formats a share from 0 to 1. */
export const inPercent = (value: number) => share.format(value);
export const inMoment = (iso: string) => moment.format(new Date(iso));
export const inExactMoment = (iso: string) => exact.format(new Date(iso));
/** To the second, but short enough for a table. */
export const inSecond = (iso: string) => second.format(new Date(iso));
export const inClock = (iso: string) => clock.format(new Date(iso));
export const inMinute = (ms: number) => minute.format(ms);
/** Without the year. */
export const inDayOfYear = (iso: string) => dayOfYear.format(new Date(iso));
/** Formats a calendar day, YYYY-MM-DD. */
export const inDay = (date: string) => day.format(new Date(`${date}T00:00:00Z`));
/** A calendar day without the year, for an axis. */
export const inShortDay = (date: string) => shortDay.format(new Date(`${date}T00:00:00Z`));

/** The day of a moment, in the viewer's zone. */
export const inDayOf = (iso: string) => date.format(new Date(iso));

function partOf(value: number, type: Intl.NumberFormatPartTypes): string | undefined {
  return count.formatToParts(value).find(part => part.type === type)?.value;
}

/** "1.2K" has an English word in it, but the viewer's decimal sign. */
function withDecimalSign(format: Intl.NumberFormat, value: number): string {
  const parts = format.formatToParts(value);
  return parts.map(part => (part.type === 'decimal' ? DECIMAL_SIGN : part.value)).join('');
}

/** The amount stays the exact decimal of the API: Intl receives its digits as a string. */
export function inMoney(amount: string, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(amount as unknown as number);
}

/** An amount as the viewer may type it, to show how. */
export function exampleAmount(): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(1204.5);
}

/** The unit, its length in seconds, and how many of it are one of the next. */
const UNITS = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 30],
  ['month', 2_629_746, 12],
  ['year', 31_556_952, Number.POSITIVE_INFINITY],
] as const;

/** The clock of the page may be as old as that. */
const NOW_SECONDS = 15;

/** Rounded, such as "5 minutes ago" or "in 3 days". */
export function inRelation(iso: string, nowMs: number): string {
  const seconds = (new Date(iso).getTime() - nowMs) / 1_000;
  if (Math.abs(seconds) < NOW_SECONDS) return 'now';
  const [unit, length] = UNITS.find(([, one, most]) => Math.round(Math.abs(seconds) / one) < most)!;
  return relative.format(Math.round(seconds / length), unit);
}

/** Not within a sentence: "In 3 days" or "Now". */
export const inRelationAlone = (iso: string, nowMs: number) => withCapital(inRelation(iso, nowMs));

const withCapital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

/** For deadlines and money: "24 Nov, in 2 days"; with the time on the day before and after. */
export function inDateAndRelation(iso: string, nowMs: number): string {
  const at = new Date(iso);
  const awayMs = Math.abs(at.getTime() - nowMs);
  const relation = inRelation(iso, nowMs);
  if (awayMs < DAY_MS) return `${dayOfYear.format(at)}, ${minute.format(at)}, ${relation}`;
  return `${(awayMs < YEAR_MS / 2 ? dayOfYear : date).format(at)}, ${relation}`;
}

/** How long something takes or has taken, such as "4 minutes": of two of a larger unit on, in that. */
export function inDuration(seconds: number): string {
  const [unit, length] = UNITS.slice(1, 4).findLast(([, one]) => seconds >= 2 * one) ?? UNITS[0];
  const format = new Intl.NumberFormat(WORDS, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.trunc(seconds / length));
}

/** `PAYOUT_REQUESTED` as "Payout requested": for names that the API may add to. */
export function inPlainWords(name: string): string {
  if (name === 'NPS') return name;
  return withCapital(name.replaceAll('_', ' ').toLowerCase());
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
