// Finds the statements of a migration that copy or rewrite stored rows of ClickHouse. Reads and inserts
// continue meanwhile, but the statements take time, and some need disk space.

import { renderForCluster, splitStatements } from './clickhouse-sql.ts';
import { type Finding, type Hazard, hazardOf, splitActions, withoutComments } from './hazard.ts';
import type { SqlFile } from './sql-files.ts';

/** @param existing the tables that already exist, even if a pending file creates them with IF NOT EXISTS */
export function clickHouseHazards(
  pending: readonly SqlFile[],
  existing: ReadonlySet<string>,
  cluster: string | undefined,
): Hazard[] {
  const created = new Set<string>();
  const exchanged = new Set<string>();
  return pending.flatMap(file =>
    splitStatements(renderForCluster(file.text, cluster)).flatMap(statement => {
      const code = withoutComments(statement);
      const table = CREATED.exec(code)?.[1];
      if (table !== undefined && !existing.has(table)) created.add(table);
      const both = EXCHANGED.exec(code)?.slice(1) ?? [];
      // The rows are exchanged too, so both tables can have stored rows afterwards.
      if (both.some(name => !created.has(name))) for (const name of both) created.delete(name);
      for (const name of both) exchanged.add(name);
      const dropped = DROPPED.exec(code)?.[1];
      // Its rows were copied before.
      if (dropped !== undefined && exchanged.has(dropped)) return [];
      return findingsOf(code)
        .filter(([, table]) => table === undefined || !created.has(table))
        .map(finding => hazardOf(file, statement, finding));
    }),
  );
}

const CREATED = /^CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)/i;
const EXCHANGED = /^EXCHANGE TABLES `?(\w+)`? AND `?(\w+)/i;
const DROPPED = /^DROP TABLE (?:IF EXISTS )?`?(\w+)/i;

/** A whole statement; its table is the first group. */
const STATEMENTS: readonly (readonly [RegExp, string])[] = [
  [
    /^INSERT INTO .*?\bSELECT\b.*?\bFROM (?:cluster\w*\([^,]*, [^,]*, ')?`?(\w+)/i,
    'copies all rows',
  ],
  [/^OPTIMIZE TABLE `?(\w+)/i, 'merges stored parts'],
  [DROPPED, 'removes a table and its rows'],
  [/^RENAME TABLE `?(\w+)/i, 'removes something that the previous release may still use'],
  [/^DELETE FROM `?(\w+)/i, 'rewrites stored rows'],
  [/^CREATE MATERIALIZED VIEW .*\bPOPULATE\b.*?\bFROM `?(\w+)/i, 'copies all rows'],
];

/** A part of ALTER TABLE. Without a type, MODIFY COLUMN changes only new parts. */
const ACTIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:UPDATE|DELETE|MATERIALIZE)\b/i, 'rewrites stored rows'],
  [
    /^MODIFY COLUMN (?:IF EXISTS )?\S+ (?!CODEC\b|COMMENT\b|DEFAULT\b|MATERIALIZED\b|ALIAS\b|TTL\b|REMOVE\b|MODIFY\b|RESET\b|SETTINGS\b)/i,
    'rewrites the column in all stored rows',
  ],
  [/^(?:DROP|RENAME|CLEAR) COLUMN\b/i, 'removes something that the previous release may still use'],
];

const ALTERED = /^ALTER TABLE `?(\w+)`?(?: ON CLUSTER '[^']*')? (.*)$/i;

function findingsOf(code: string): Finding[] {
  const found: Finding[] = STATEMENTS.flatMap(([pattern, what]): Finding[] => {
    const match = pattern.exec(code);
    return match === null ? [] : [[what, match[1]]];
  });
  const [, table, actions] = ALTERED.exec(code) ?? [];
  for (const action of splitActions(actions ?? ''))
    for (const [pattern, what] of ACTIONS) if (pattern.test(action)) found.push([what, table]);
  return found;
}
