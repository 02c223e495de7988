// Tables as CSV (RFC 4180), for clients that prefer it to JSON.

import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { reject } from '../rejected.ts';

/** Null is an empty field, an empty text a quoted one. */
export type CsvValue = string | number | boolean | null;

export type CsvTable = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvValue[])[];
};

export const CSV_TYPE = 'text/csv';

/**
 * Rows repeat long texts that JSON has once. This is several times the size of a report with short
 * texts, and takes about a tenth of a second to write, during which the process is blocked.
 */
const CHARACTERS_MAX = 10_000_000;

/** As in all of REST, a client that accepts neither JSON nor CSV gets JSON. */
export function prefersCsv(c: Context): boolean {
  const json = 'application/json';
  // "Anything" is a choice of its own, since it means JSON, even if CSV is named with a lower weight.
  const supports = [json, CSV_TYPE, '*/*'];
  return accepts(c, { header: 'Accept', supports, default: json }) === CSV_TYPE;
}

export function csvAnswer(filename: string, table: CsvTable): Response {
  return new Response(csvOf(table), {
    headers: {
      'content-type': `${CSV_TYPE}; charset=utf-8; header=present`,
      'content-disposition': `attachment; filename="${filename}"`,
      vary: 'Accept',
    },
  });
}

function csvOf({ columns, rows }: CsvTable): string {
  let csv = lineOf(columns);
  for (const row of rows) {
    csv += lineOf(row);
    if (csv.length > CHARACTERS_MAX)
      reject('REPORT_TOO_LARGE', {
        message: `The CSV file would have more than ${CHARACTERS_MAX} characters. Request fewer rows, or JSON.`,
      });
  }
  return csv;
}

function lineOf(values: readonly CsvValue[]): string {
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
