import { expect, test } from 'vitest';
import { keptInWords, rowsInWords } from '../../../console/pieces/erased-rows.ts';
import { KEPT_TABLES, PERSONAL_TABLES } from '../../../graphql-api/privacy/postgres-tables.ts';
import { WAREHOUSE_TABLES } from '../../../graphql-api/privacy/warehouse-tables.ts';

const INGEST = ['spool', 'quarantine'];

test('a receipt has words for every table that an erasure names', () => {
  const names = [...PERSONAL_TABLES, ...WAREHOUSE_TABLES].map(({ name }) => name);
  const tables = [...names, ...Object.keys(KEPT_TABLES), ...INGEST];
  expect(tables.filter(table => rowsInWords(table) === table)).toEqual([]);
});

test('the dialog names every kind of data that an erasure keeps', () => {
  const tables = Object.keys(KEPT_TABLES).map(
    table => ({ table, outcome: 'KEPT', before: null }) as const,
  );
  expect(keptInWords(tables)).toBe(
    'Payments and their records, corrections of rejected events, and identity checks, tax certificates and deals of partners',
  );
});
