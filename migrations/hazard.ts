import type { SqlFile } from './sql-files.ts';

/** A statement of a migration that is slow on a large table, or that breaks an earlier release. */
export type Hazard = {
  readonly file: SqlFile;
  readonly table: string | undefined;
  /** For example: rewrites the table and blocks all access. */
  readonly what: string;
  /** The beginning of the statement. */
  readonly statement: string;
  /** The text of its comment `-- accepted: …`: why the statement is harmless here. */
  readonly accepted: string | undefined;
};

/** The consequence of a statement, and the affected table. */
export type Finding = readonly [what: string, table?: string | undefined];

const STATEMENT_SHOWN_CHARS = 80;
const ACCEPTED = /--\s*accepted:\s*(.+)/;

export function hazardOf(file: SqlFile, statement: string, [what, table]: Finding): Hazard {
  const code = withoutComments(statement);
  return {
    file,
    table,
    what,
    statement:
      code.length > STATEMENT_SHOWN_CHARS ? `${code.slice(0, STATEMENT_SHOWN_CHARS)}…` : code,
    accepted: ACCEPTED.exec(statement)?.[1]?.trim(),
  };
}

/** On one line, with single spaces. */
export function withoutComments(sql: string): string {
  return sql
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Splits at commas that are outside of parentheses. */
export function splitActions(actions: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of actions) {
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map(part => part.trim());
}
