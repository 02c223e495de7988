// Timestamps in the form that nearly every SDK sends, `YYYY-MM-DDTHH:MM:SS.mmmZ`, in the allowed
// years. All other forms are parsed in TypeScript.

import { byteAt } from './byte-at.ts';

const LENGTH = 24;
const YEAR_MIN = 1970;
const YEAR_MAX = 2105;
const DAY_MS: f64 = 86_400_000;

/** Milliseconds since 1970; -1 if the text does not have that form or is not a valid date. */
export function canonicalTimestamp(start: i32, end: i32): f64 {
  if (end - start !== LENGTH || !hasMarks(start)) return -1;
  const century = digits(start);
  const yearOfCentury = digits(start + 2);
  const month = digits(start + 5);
  const day = digits(start + 8);
  const hour = digits(start + 11);
  const minute = digits(start + 14);
  const second = digits(start + 17);
  const tenths = digits(start + 20);
  const hundredth = digits(start + 21);
  // A negative number has the top bit set, and so does any bitwise OR with it.
  const all = century | yearOfCentury | month | day | hour | minute | second | tenths | hundredth;
  const year = century * 100 + yearOfCentury;
  if (all < 0 || year < YEAR_MIN || year > YEAR_MAX) return -1;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return -1;
  if (hour > 23 || minute > 59 || second > 59) return -1;
  const millisecond = tenths * 10 + (hundredth % 10);
  const ofDay = (hour * 60 + minute) * 60_000 + second * 1000 + millisecond;
  return <f64>daysBefore(year, month, day) * DAY_MS + <f64>ofDay;
}

function hasMarks(start: i32): bool {
  return (
    byteAt(start + 4) === 0x2d &&
    byteAt(start + 7) === 0x2d &&
    byteAt(start + 10) === 0x54 &&
    byteAt(start + 13) === 0x3a &&
    byteAt(start + 16) === 0x3a &&
    byteAt(start + 19) === 0x2e &&
    byteAt(start + 23) === 0x5a
  );
}

/** Two decimal digits; negative if they are not digits. */
function digits(start: i32): i32 {
  const tens = byteAt(start) - 0x30;
  const ones = byteAt(start + 1) - 0x30;
  return <u32>tens < 10 && <u32>ones < 10 ? tens * 10 + ones : -1;
}

function daysIn(year: i32, month: i32): i32 {
  if (month === 2) return isLeap(year) ? 29 : 28;
  // April, June, September, November.
  return (0xa50 >> month) & 1 ? 30 : 31;
}

function isLeap(year: i32): bool {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** Days since 1970-01-01, counted in years that begin in March, so that leap days come last. */
function daysBefore(year: i32, month: i32, day: i32): i32 {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = month > 2 ? month - 3 : month + 9;
  const leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400;
  return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 719_469;
}
