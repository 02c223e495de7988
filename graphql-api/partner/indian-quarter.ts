// Quarters of the Indian financial year, 1 April to 31 March, in Indian time. India has one time
// zone and no daylight saving time.

import { DAY_MS } from '../../schema/values/durations.ts';

export type Quarter = {
  /** The calendar year in which the financial year begins. */
  readonly financialYear: number;
  /** 1 to 4. Quarter 1 is April to June. */
  readonly quarter: number;
};

const INDIA_AHEAD_MS = 5.5 * 60 * 60 * 1000;
const MONTHS_BEFORE = 3;

export function quarterAt(instantMs: number): Quarter {
  const india = new Date(instantMs + INDIA_AHEAD_MS);
  const month = india.getUTCMonth() - MONTHS_BEFORE;
  return {
    financialYear: india.getUTCFullYear() - (month < 0 ? 1 : 0),
    quarter: Math.floor(((month + 12) % 12) / 3) + 1,
  };
}

/** The instant at which the quarter begins. */
export function quarterStartMs({ financialYear, quarter }: Quarter): number {
  return Date.UTC(financialYear, MONTHS_BEFORE + (quarter - 1) * 3, 1) - INDIA_AHEAD_MS;
}

/** The Indian date of an instant, as YYYY-MM-DD. */
export function indianDay(instantMs: number): string {
  return new Date(instantMs + INDIA_AHEAD_MS).toISOString().slice(0, 10);
}

/** The first and last day of the quarter. */
export function quarterDays(quarter: Quarter): { startsOn: string; endsOn: string } {
  const nextStartMs = quarterStartMs({ ...quarter, quarter: quarter.quarter + 1 });
  return { startsOn: indianDay(quarterStartMs(quarter)), endsOn: indianDay(nextStartMs - DAY_MS) };
}

/** For example `2026-27`, the format of the tax authority. */
export function financialYearName({ financialYear }: Pick<Quarter, 'financialYear'>): string {
  return `${financialYear}-${String((financialYear + 1) % 100).padStart(2, '0')}`;
}
