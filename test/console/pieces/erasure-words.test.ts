import { expect, test } from 'vitest';
import { rowsInWords } from '../../../console/views/settings/privacy/erasure-words.ts';
import { KEPT_TABLES, PERSONAL_TABLES } from '../../../graphql-api/privacy/postgres-tables.ts';
import { WAREHOUSE_TABLES } from '../../../graphql-api/privacy/warehouse-tables.ts';

const INGEST = ['spool', 'quarantine'];

test('a receipt has words for every table that an erasure names', () => {
  const names = [...PERSONAL_TABLES, ...WAREHOUSE_TABLES].map(({ name }) => name);
  const tables = [...names, ...Object.keys(KEPT_TABLES), ...INGEST];
  expect(tables.filter(table => rowsInWords(table) === table)).toEqual([]);
});
