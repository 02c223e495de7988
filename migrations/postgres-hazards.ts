// Finds the statements of a migration that would make requests wait on a large table of Postgres. Tables that
// the same run creates are empty, so nothing about them is a hazard.

import { type Finding, type Hazard, hazardOf, splitActions, withoutComments } from './hazard.ts';
import { postgresCode, splitPostgresStatements } from './postgres-sql.ts';
import type { SqlFile } from './sql-files.ts';

/**
 * @param pending the files to apply, in order
 * @param earlier the files before them
 * @param existing the tables that already exist, even if a pending file creates them with IF NOT EXISTS
 */
export function postgresHazards(
  pending: readonly SqlFile[],
  earlier: readonly SqlFile[],
  existing: ReadonlySet<string>,
): Hazard[] {
  const created = new Set<string>();
  const seen = earlier.map(({ text }) => postgresCode(text));
  return pending.flatMap(file => {
    const found = splitPostgresStatements(file.text).flatMap(statement => {
      const code = postgresCode(statement);
      const table = CREATED.exec(code)?.[1];
      if (table !== undefined && !existing.has(table)) created.add(table);
      const around = { file: postgresCode(file.text), seen: seen.join(' ') };
      return [...(existing.size > 0 ? blockProblems(statement) : []), ...findingsOf(code, around)]
        .filter(([, of]) => of === undefined || !created.has(of))
        .map(finding => hazardOf(file, statement, finding));
    });
    seen.push(postgresCode(file.text));
    return found;
  });
}

type Around = {
  /** The code of the whole file. */
  readonly file: string;
  /** The code of all files before it. */
  readonly seen: string;
};

const NAME = '(?:public\\.)?"?(\\w+)"?';
const CREATED = new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?${NAME}`, 'i');
const ALTERED = new RegExp(`^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?${NAME} (.*)$`, 'i');

/** A whole statement; its table is the first group. */
const STATEMENTS: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY\\b)(?:.*? )?ON (?:ONLY )?${NAME} ?[(U]`,
      'i',
    ),
    'builds an index and blocks writes: use CONCURRENTLY',
  ],
  [/^REINDEX (?!.*\bCONCURRENTLY\b)/i, 'builds indexes and blocks writes: use CONCURRENTLY'],
  [/^VACUUM\b.*\bFULL\b/i, 'rewrites the table and blocks all access'],
  [/^CLUSTER\b/i, 'rewrites the table and blocks all access'],
  [
    new RegExp(`^LOCK (?:TABLE )?(?:ONLY )?${NAME}`, 'i'),
    'locks the table until the file has been applied',
  ],
  [new RegExp(`^TRUNCATE (?:TABLE )?(?:ONLY )?${NAME}`, 'i'), 'deletes all rows'],
  [new RegExp(`^UPDATE (?:ONLY )?${NAME}`, 'i'), 'changes stored rows in one transaction'],
  [new RegExp(`^DELETE FROM (?:ONLY )?${NAME}`, 'i'), 'deletes stored rows in one transaction'],
  [
    new RegExp(`^(?:INSERT INTO|CREATE TABLE) .*\\bSELECT\\b.*?\\bFROM ${NAME}`, 'i'),
    'copies rows',
  ],
  [
    new RegExp(`^DROP TABLE (?:IF EXISTS )?${NAME}`, 'i'),
    'removes something that the previous release may still use',
  ],
];

/** A part of ALTER TABLE. */
const ACTIONS: readonly (readonly [RegExp, string])[] = [
  [
    /^ALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b/i,
    'can rewrite the table and block all access: add another column instead',
  ],
  [/^SET (?:LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)\b/i, 'rewrites the table'],
  [
    /^ADD (?:CONSTRAINT \S+ )?(?:CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID\b)/i,
    'reads the table and blocks writes: add the constraint as NOT VALID, and validate it in the next file',
  ],
  [
    /^ADD (?:CONSTRAINT \S+ )?(?:UNIQUE|PRIMARY KEY|EXCLUDE)\b(?!.*\bUSING INDEX\b)/i,
    'builds an index and blocks all access: build it CONCURRENTLY, then ADD CONSTRAINT … USING INDEX',
  ],
  [/^(?:DROP COLUMN\b|RENAME\b)/i, 'removes something that the previous release may still use'],
  [/^DROP (?!CONSTRAINT\b|COLUMN\b)/i, 'removes something that the previous release may still use'],
];

/** A block can compose its statements from strings, so their tables are not known here. */
function blockProblems(statement: string): Finding[] {
  const block = withoutComments(statement);
  const isRisky =
    /\b(?:CREATE (?:UNIQUE )?INDEX|UPDATE \S+ SET|DELETE FROM|INSERT INTO|ADD (?:COLUMN|CONSTRAINT)|ALTER COLUMN|VALIDATE|TRUNCATE|DROP|RENAME)\b/i;
  return /^DO\b/i.test(block) && isRisky.test(block)
    ? [['has statements in a DO block, which this check does not read']]
    : [];
}

function findingsOf(code: string, around: Around): Finding[] {
  const found: Finding[] = STATEMENTS.flatMap(([pattern, what]): Finding[] => {
    const match = pattern.exec(code);
    return match === null ? [] : [[what, match[1]]];
  });
  const altered = ALTERED.exec(code);
  if (altered === null) return found;
  const [, table, actions] = altered;
  for (const action of splitActions(actions!)) {
    const whats = ACTIONS.filter(([pattern]) => pattern.test(action)).map(([, what]) => what);
    whats.push(...columnProblems(action), ...constraintProblems(action, around));
    for (const what of whats)
      if (!found.some(([other]) => other === what)) found.push([what, table]);
  }
  return found;
}

/** These are the same for all rows, so Postgres stores them once. Other functions could be volatile. */
const STABLE_DEFAULT =
  /^DEFAULT (?:now\(\)|current_\w+|[^\s()]+(?: ?\[\])?|\([^()]*\)|ARRAY\[[^\]]*\]\S*)(?!\()(?: |$)/i;

/** Of ADD COLUMN. */
function columnProblems(action: string): string[] {
  const column =
    /^ADD (?:COLUMN )?(?:IF NOT EXISTS )?(?!CONSTRAINT\b|CHECK\b|FOREIGN\b|UNIQUE\b|PRIMARY\b|EXCLUDE\b)\S+ (.*)$/i.exec(
      action,
    )?.[1];
  if (column === undefined) return [];
  const problems: string[] = [];
  const standard = /\bDEFAULT .*$/i.exec(column)?.[0];
  const isFilled = /\bGENERATED\b|\b(?:small|big)?serial\b/i.test(column);
  if (isFilled || (standard !== undefined && !STABLE_DEFAULT.test(standard)))
    problems.push(
      'rewrites the table and blocks all access: add the column without a default or generated value',
    );
  if (/\bNOT NULL\b/i.test(column) && standard === undefined && !isFilled)
    problems.push('fails if the table has rows: add a DEFAULT');
  if (/\b(?:UNIQUE|PRIMARY KEY)\b/i.test(column))
    problems.push('builds an index and blocks all access');
  if (/\bCHECK\b/i.test(column))
    problems.push(
      'reads the table and blocks all access: add the check as NOT VALID, then validate it',
    );
  return problems;
}

function constraintProblems(action: string, { file, seen }: Around): string[] {
  const validated = /^VALIDATE CONSTRAINT (\S+)/i.exec(action)?.[1];
  if (
    validated !== undefined &&
    new RegExp(`ADD CONSTRAINT ${validated}\\b.*NOT VALID`, 'i').test(file)
  )
    return [
      'reads the table while ADD CONSTRAINT still holds its lock: validate the constraint in the next file',
    ];
  const required = /^ALTER (?:COLUMN )?"?(\w+)"? SET NOT NULL/i.exec(action)?.[1];
  if (required === undefined || isKnownNotNull(required, seen)) return [];
  return ['reads the table and blocks all access: first validate CHECK (… IS NOT NULL)'];
}

/** A validated check in an earlier file ensures this. */
function isKnownNotNull(column: string, seen: string): boolean {
  const check = new RegExp(
    `ADD CONSTRAINT (\\S+) CHECK ?\\( ?"?${column}"? IS NOT NULL ?\\) NOT VALID`,
    'i',
  );
  const name = check.exec(seen)?.[1];
  return name !== undefined && new RegExp(`VALIDATE CONSTRAINT ${name}\\b`, 'i').test(seen);
}
