// One line of a CSV file (RFC 4180) that a spreadsheet can open without evaluating texts as formulas.

/** Null is an empty field, an empty text a quoted one. */
export type CsvValue = string | number | boolean | null;

export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`;
}

/** Spaces and semicolons need quotes only for programs that do not follow the RFC. */
const NEEDS_QUOTES = /^$|[",;\s]/;

function fieldOf(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = withoutFormula(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The characters that begin a formula, or are skipped before one, according to OWASP's page on CSV
 * injection and ASVS 1.2.10.
 */
const FORMULA_STARTS = new Set('=+-@\t\r\n\0＝＋－＠');
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A spreadsheet treats a value after an apostrophe as text. */
function withoutFormula(text: string): string {
  return FORMULA_STARTS.has(text.charAt(0)) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;
}
