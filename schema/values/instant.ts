// Times are milliseconds since 1970 in UTC. Clients send ISO 8601; a time without a zone is UTC.

/** The valid years of a client's time. ClickHouse's Date, the sort key of events, ends in 2149. */
const YEAR_MIN = 1970;
const YEAR_MAX = 2105;
export const INSTANT_MIN_MS = Date.UTC(YEAR_MIN, 0, 1);
export const INSTANT_MAX_MS = Date.UTC(YEAR_MAX + 1, 0, 1) - 1;

const ZONE = String.raw`(Z|z|[+-]\d{2}(?::?\d{2})?)?`;
const FRACTION = String.raw`(?:[.,](\d{1,12}))?`;
const EXTENDED = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})${FRACTION})?${ZONE})?$`,
);
const BASIC = new RegExp(
  String.raw`^(\d{4})(\d{2})(\d{2})[Tt](\d{2})(\d{2})(?:(\d{2})${FRACTION})?${ZONE}$`,
);

type ClientInstant = {
  readonly ms: number;
  /** Whether the text equals `ms` formatted as RFC 3339 in UTC with milliseconds. */
  readonly isCanonical: boolean;
};

/**
 * Parses an ISO 8601 date or time in the extended or basic form, at any precision, with or without
 * a zone (default UTC). Undefined if the text is invalid or outside the years 1970 to 2105.
 */
export function parseInstant(text: string): ClientInstant | undefined {
  const match = EXTENDED.exec(text) ?? BASIC.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const local = fromFields(
    Number(year),
    Number(month),
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    Number((fraction ?? '').slice(0, 3).padEnd(3, '0')),
  );
  const offsetMs = zoneOffsetMs(zone);
  if (local === undefined || offsetMs === undefined) return undefined;
  const ms = local - offsetMs;
  if (ms < INSTANT_MIN_MS || ms > INSTANT_MAX_MS) return undefined;
  return { ms, isCanonical: new Date(ms).toISOString() === text };
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Undefined if a field is NaN or out of range. Second 60 is a leap second. */
function fromFields(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  millisecond: number,
): number | undefined {
  // A zone offset can move the first and the last day of the range into the adjacent years.
  if (!(year >= YEAR_MIN - 1 && year <= YEAR_MAX + 1)) return undefined;
  if (!(month >= 1 && month <= 12 && day >= 1)) return undefined;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : DAYS_IN_MONTH[month - 1]!;
  if (!(day <= days && hour <= 23 && minute <= 59 && second <= 60 && millisecond <= 999))
    return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

function zoneOffsetMs(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
