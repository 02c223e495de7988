/**
 * Converts valid JSON text to text that jsonb accepts: characters that Postgres cannot store (NUL,
 * lone surrogates) become U+FFFD, and numbers outside the range of a double become strings, because
 * jsonb would also print 1e100000 with all its digits. The warehouse stores the original text.
 */
export function jsonbText(text: string): string {
  return MAY_NOT_FIT.test(text) ? text.replace(STRINGS_AND_POWERS, fitting) : text;
}

const MAY_NOT_FIT = /\\u|\d[eE]/;
const STRINGS_AND_POWERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*[eE][+-]?(\d+)/g;
/** The largest exponent of a double. */
const EXPONENT_MAX = 308;

function fitting(token: string, exponent: string | undefined): string {
  if (exponent !== undefined) return Number(exponent) <= EXPONENT_MAX ? token : `"${token}"`;
  if (!token.includes('\\u')) return token;
  const value = JSON.parse(token) as string;
  if (value.isWellFormed() && !value.includes('\u0000')) return token;
  return JSON.stringify(value.toWellFormed().replaceAll('\u0000', '\ufffd'));
}
