// Tables as CSV, for clients that prefer it to JSON.

import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { type CsvValue, csvLine } from '../../../schema/values/csv-line.ts';
import { reject } from '../rejected.ts';

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
  let csv = csvLine(columns);
  for (const row of rows) {
    csv += csvLine(row);
    if (csv.length > CHARACTERS_MAX)
      reject('REPORT_TOO_LARGE', {
        message: `The CSV file would have more than ${CHARACTERS_MAX} characters. Request fewer rows, or JSON.`,
      });
  }
  return csv;
}
