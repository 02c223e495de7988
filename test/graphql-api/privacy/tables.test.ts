// Every table of a migrated service is in a list that defines the effect of an erasure on its rows.

import { expect, test } from 'vitest';
import {
  IMPERSONAL_TABLES,
  KEPT_TABLES,
  PERSONAL_TABLES,
} from '../../../graphql-api/privacy/postgres-tables.ts';
import {
  IMPERSONAL_WAREHOUSE_TABLES,
  WAREHOUSE_TABLES,
} from '../../../graphql-api/privacy/warehouse-tables.ts';
import { sql } from '../../harness/tenant.ts';
import { rows } from '../../harness/warehouse.ts';

test('every table of Postgres is in exactly one list', async () => {
  const tables = await sql(
    `SELECT table_name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const listed = [
    ...PERSONAL_TABLES.map(({ name }) => name),
    ...Object.keys(KEPT_TABLES),
    ...IMPERSONAL_TABLES,
  ];
  expect(listed.toSorted()).toEqual(tables.map(({ table_name: name }) => name));
});

test('every table of ClickHouse is in exactly one list', async () => {
  const tables = await rows<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name",
  );
  const listed = [
    ...WAREHOUSE_TABLES.map(({ name }) => name),
    ...Object.keys(IMPERSONAL_WAREHOUSE_TABLES),
  ];
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name));
});

test('rows of ClickHouse are counted by the sort keys of their tables', async () => {
  const tables = await rows<{ name: string; key: string }>(
    "SELECT name, sorting_key AS key FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
  );
  const keys = new Map(tables.map(({ name, key }) => [name, key]));
  for (const { name, key } of WAREHOUSE_TABLES) expect([name, key]).toEqual([name, keys.get(name)]);
});

/** Names of columns that may contain an ID of a person. */
const ID_COLUMNS = /^(user|contact|anonymous)_id$/;

test('every column with an ID of a person is searched', async () => {
  const columns = await rows<{ table: string; name: string }>(
    `SELECT table, name FROM system.columns WHERE database = currentDatabase()
       AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')`,
  );
  const missed = columns.filter(({ table, name }) => {
    const listed = WAREHOUSE_TABLES.find(one => one.name === table);
    return ID_COLUMNS.test(name) && !listed?.isOfPerson.includes(name);
  });
  expect(missed).toEqual([]);
  const kept = new Set([...Object.keys(KEPT_TABLES), ...IMPERSONAL_TABLES]);
  const inPostgres = await sql(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const outside = inPostgres.filter(
    ({ table_name: table, column_name: name }) =>
      ID_COLUMNS.test(String(name)) && kept.has(String(table)),
  );
  expect(outside).toEqual([]);
});
