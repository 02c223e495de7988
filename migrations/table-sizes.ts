// The tables that exist before a migration, with their size on disk.

import type pg from 'pg';

/** Bytes by the name of the table. */
export type TableSizes = ReadonlyMap<string, number>;

export async function postgresTableSizes(client: pg.Client): Promise<TableSizes> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT relname AS name, pg_total_relation_size(oid) AS bytes
     FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace('public')`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/** For a person: 3 KB, 12 MB, 4.5 GB. */
export function sizeInWords(bytes: number): string {
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${UNITS[unit]}`;
}

const UNITS = ['KB', 'MB', 'GB', 'TB'];
