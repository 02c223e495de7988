// Migrations must not make requests wait on large tables.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWithoutTransaction } from '../../migrations/apply-file.ts';
import { clickHouseHazards } from '../../migrations/clickhouse-hazards.ts';
import type { Hazard } from '../../migrations/hazard.ts';
import { postgresHazards } from '../../migrations/postgres-hazards.ts';
import { postgresCode } from '../../migrations/postgres-sql.ts';
import { readSqlFiles, type SqlFile } from '../../migrations/sql-files.ts';

/** Earlier files were applied while no table was large. */
const CHECKED_FROM = 71;
const OURS = readSqlFiles(
  join(import.meta.dirname, '..', '..', 'migrations', 'postgres'),
) as readonly SqlFile[];

test('our migrations of Postgres have no unaccepted hazard', () => {
  for (const [index, file] of OURS.entries()) {
    if (file.version < CHECKED_FROM) continue;
    const earlier = OURS.slice(0, index);
    const hazards = postgresHazards([file], earlier, tablesOf(earlier));
    const open = hazards.filter(({ accepted }) => accepted === undefined);
    expect(open.map(inWords), `${file.version}_${file.name}`).toEqual([]);
    expect(OUTSIDE.test(file.text), file.name).toBe(isWithoutTransaction(file));
  }
});

test('a database without tables has no hazards', () => {
  expect(postgresHazards(OURS, [], new Set())).toEqual([]);
});

describe('in Postgres', () => {
  test.for([
    ['CREATE INDEX ON people (id)', 'builds an index'],
    ['CREATE UNIQUE INDEX people_id ON public.people USING btree (id)', 'builds an index'],
    ['ALTER TABLE people ALTER COLUMN age TYPE bigint', 'can rewrite'],
    ['ALTER TABLE people ALTER age SET DATA TYPE bigint', 'can rewrite'],
    ['ALTER TABLE people ALTER COLUMN age SET NOT NULL', 'reads the table'],
    ['ALTER TABLE people ADD COLUMN id uuid DEFAULT gen_random_uuid()', 'rewrites'],
    ['ALTER TABLE people ADD id bigserial', 'rewrites'],
    [
      "ALTER TABLE people ADD a int, ADD COLUMN b text GENERATED ALWAYS AS (a || '') STORED",
      'rewrites',
    ],
    ['ALTER TABLE people ADD COLUMN age int NOT NULL', 'fails if the table has rows'],
    ['ALTER TABLE people ADD COLUMN age int CHECK (age > 0)', 'reads the table'],
    ['ALTER TABLE people ADD COLUMN name text UNIQUE', 'builds an index'],
    ['ALTER TABLE people ADD CONSTRAINT old CHECK (age > 0)', 'reads the table'],
    ['ALTER TABLE ONLY people ADD FOREIGN KEY (a) REFERENCES b (a)', 'reads the table'],
    ['ALTER TABLE people ADD PRIMARY KEY (id)', 'builds an index'],
    ['ALTER TABLE people DROP COLUMN age', 'removes'],
    ['ALTER TABLE people RENAME COLUMN age TO years', 'removes'],
    ['DROP TABLE people', 'removes'],
    ['UPDATE people SET age = 1', 'changes stored rows'],
    ['DELETE FROM people WHERE age = 1', 'deletes stored rows'],
    ['INSERT INTO children SELECT * FROM people', 'copies rows'],
    ['CREATE TABLE copies AS SELECT * FROM people', 'copies rows'],
    ['LOCK TABLE people', 'locks'],
    ['REINDEX TABLE people', 'builds indexes'],
    ["DO $$ BEGIN EXECUTE format('CREATE INDEX ON %I (id)', 'people'); END $$", 'DO block'],
  ] as const)('%s is a hazard', ([sql, what]) => {
    expect(hazardsOf(sql)).toEqual([
      expect.objectContaining({ what: expect.stringMatching(what) }),
    ]);
  });

  test.for([
    'CREATE INDEX CONCURRENTLY people_id ON people (id)',
    'CREATE TABLE others (id uuid PRIMARY KEY DEFAULT gen_random_uuid()); CREATE INDEX ON others (id)',
    'ALTER TABLE people ADD COLUMN age int',
    "ALTER TABLE people ADD COLUMN state text NOT NULL DEFAULT 'a b', ADD COLUMN at timestamptz DEFAULT now()",
    'ALTER TABLE people ADD COLUMN age int NOT NULL DEFAULT 0',
    "ALTER TABLE people ADD COLUMN tags text[] NOT NULL DEFAULT '{}'",
    'ALTER TABLE people ADD CONSTRAINT old CHECK (age > 0) NOT VALID',
    'ALTER TABLE people VALIDATE CONSTRAINT added_before',
    'ALTER TABLE people ADD CONSTRAINT people_key UNIQUE USING INDEX people_id',
    'ALTER TABLE people DROP CONSTRAINT old, ALTER COLUMN age DROP NOT NULL',
    "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE people SET name = 'x;y' $$",
    "DO $$ BEGIN EXECUTE 'ALTER TABLE people ENABLE ROW LEVEL SECURITY'; END $$",
    '-- UPDATE people SET age = 1\nSELECT 1',
  ])('%s is no hazard', sql => {
    expect(hazardsOf(sql).map(inWords)).toEqual([]);
  });

  test('SET NOT NULL is no hazard after a check that was validated in an earlier file', () => {
    const required = 'ALTER TABLE people ALTER COLUMN age SET NOT NULL';
    const add = 'ALTER TABLE people ADD CONSTRAINT known CHECK (age IS NOT NULL) NOT VALID';
    const validate = 'ALTER TABLE people VALIDATE CONSTRAINT known';
    expect(hazardsOf(required, [add, validate])).toEqual([]);
    expect(hazardsOf(required, [add])).toHaveLength(1);
    expect(hazardsOf(`${add}; ${validate}`)).toHaveLength(1);
  });

  test('a comment accepts the hazard of its statement only', () => {
    const sql =
      '-- accepted: a handful of rows\nUPDATE people SET age = 1;\nUPDATE people SET age = 2;';
    expect(hazardsOf(sql).map(({ accepted }) => accepted)).toEqual([
      'a handful of rows',
      undefined,
    ]);
  });
});

describe('in ClickHouse', () => {
  test.for([
    ['INSERT INTO later SELECT * FROM events', 'copies all rows'],
    ['ALTER TABLE events MODIFY COLUMN name LowCardinality(String)', 'rewrites'],
    ['ALTER TABLE events ADD COLUMN a Int8, MATERIALIZE COLUMN a', 'rewrites'],
    ['ALTER TABLE events DELETE WHERE 1', 'rewrites'],
    ['ALTER TABLE events DROP COLUMN name', 'removes'],
    ['OPTIMIZE TABLE events FINAL', 'merges'],
    ['DROP TABLE IF EXISTS events', 'removes'],
  ] as const)('%s is a hazard', ([sql, what]) => {
    expect(clickHouseHazards([fileOf(sql)], new Set(['events']), undefined)).toEqual([
      expect.objectContaining({ table: 'events', what: expect.stringMatching(what) }),
    ]);
  });

  test('columns with defaults, and codecs, are no hazard', () => {
    const sql = `ALTER TABLE events ADD COLUMN IF NOT EXISTS a Int8 DEFAULT 1, MODIFY COLUMN name CODEC(ZSTD(1));
      CREATE TABLE b (a Int8) ENGINE = MergeTree ORDER BY a; INSERT INTO c SELECT * FROM b;`;
    expect(clickHouseHazards([fileOf(sql)], new Set(['events']), undefined)).toEqual([]);
  });

  test('rows that are copied into a table with another order are one hazard', () => {
    const sql = `CREATE TABLE beside (a Int8) ENGINE = MergeTree ORDER BY a;
      EXCHANGE TABLES events AND beside; INSERT INTO events SELECT * FROM beside; DROP TABLE beside;`;
    expect(clickHouseHazards([fileOf(sql)], new Set(['events']), undefined).map(inWords)).toEqual([
      'beside: copies all rows',
    ]);
  });
});

/** What Postgres refuses in a transaction. */
const OUTSIDE = /^\s*(?:(?:CREATE|DROP|REINDEX)\b[^;]*\bCONCURRENTLY\b|COMMIT;)/im;

function hazardsOf(sql: string, earlier: readonly string[] = []): Hazard[] {
  return postgresHazards([fileOf(sql)], earlier.map(fileOf), new Set(['people']));
}

function fileOf(text: string): SqlFile {
  return { version: 1, name: 'sample', checksum: '', text };
}

function inWords({ table, what }: Hazard): string {
  return `${table}: ${what}`;
}

function tablesOf(files: readonly SqlFile[]): Set<string> {
  const created = /CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi;
  return new Set(
    files.flatMap(({ text }) => [...postgresCode(text).matchAll(created)].map(([, name]) => name!)),
  );
}
