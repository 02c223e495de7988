import { describe, expect, test } from 'vitest';
import { renderForCluster, splitStatements } from '../../migrations/clickhouse-sql.ts';

describe('splitStatements', () => {
  test('ends statements at semicolons, and needs none after the last', () => {
    expect(splitStatements('SELECT 1;\nSELECT 2 ; SELECT 3')).toEqual([
      'SELECT 1',
      'SELECT 2',
      'SELECT 3',
    ]);
  });

  test.each([
    ['a string', "SELECT ';'"],
    ['a doubled quote', "SELECT 'it''s; here'"],
    ['an escaped quote', "SELECT 'it\\'s; here', '\\\\'"],
    ['a quoted name', 'SELECT 1 AS `a;b`, 2 AS "c;d"'],
    ['a heredoc', "SELECT $tag$ ; ' $tag$, $$;$$"],
    ['a line comment', "SELECT 1 -- don't; stop\n + 1"],
    ['a block comment', "SELECT 1 /* don't; stop */ + 1"],
  ])('leaves %s alone', (_what, statement) => {
    expect(splitStatements(`${statement};SELECT 2;`)).toEqual([statement, 'SELECT 2']);
  });

  test('drops statements of only comments and white space', () => {
    expect(splitStatements('-- head\n;\n/* nothing */ ;\n\n')).toEqual([]);
  });
});

describe('renderForCluster', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of SQL files.
  const table = 'CREATE TABLE t${ON_CLUSTER} (a Int8) ENGINE = ${REPLICATED}MergeTree ORDER BY a;';
  const variants = [
    '-- @cluster',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of SQL files.
    'CREATE TABLE d AS t ENGINE = Distributed(${CLUSTER}, currentDatabase(), t);',
    '-- @end',
    '-- @single',
    'CREATE VIEW d AS SELECT * FROM t;',
    '-- @end',
    '',
  ].join('\n');

  test('leaves placeholders empty on a single node', () => {
    expect(renderForCluster(table, undefined)).toBe(
      'CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a;',
    );
  });

  test('names the cluster', () => {
    expect(renderForCluster(table, 'eu-1')).toBe(
      "CREATE TABLE t ON CLUSTER 'eu-1' (a Int8) ENGINE = ReplicatedMergeTree ORDER BY a;",
    );
  });

  test('keeps the variant that applies', () => {
    expect(splitStatements(renderForCluster(variants, undefined)).join()).toMatch(/CREATE VIEW d/);
    expect(renderForCluster(variants, undefined)).not.toContain('Distributed');
    expect(renderForCluster(variants, 'eu')).toContain("Distributed('eu', currentDatabase(), t)");
    expect(renderForCluster(variants, 'eu')).not.toContain('CREATE VIEW');
  });

  test('refuses an unknown placeholder, and a name that could end a string', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of SQL files.
    expect(() => renderForCluster('SELECT ${CLUSTERR}', 'eu')).toThrow('CLUSTERR');
    expect(() => renderForCluster(table, "eu'; DROP")).toThrow('not a valid cluster name');
  });
});
