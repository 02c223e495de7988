// The questions of docs/questions.md, so that the benchmark runs the recommended queries.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { END } from './make-events.ts';

export type Question = { readonly name: string; readonly window: string; readonly sql: string };

const DOCS = join(import.meta.dirname, '..', '..', 'docs', 'questions.md');
const QUESTION = /^## (?<name>.+)\n\nWindow: (?<window>[^.]+)\..*\n\n```sql\n(?<sql>[^`]+)```$/gm;

export function readQuestions(): Question[] {
  return [...readFileSync(DOCS, 'utf8').matchAll(QUESTION)].map(
    ({ groups }) => groups as unknown as Question,
  );
}

/** The question for the generated events, on the given table or view and at the given time. */
export function statementOf(
  { sql }: Pick<Question, 'sql'>,
  source: string,
  now = `toDateTime64('${END} 00:00:00', 3, 'UTC')`,
): string {
  return sql.replaceAll('FROM events\n', `FROM ${source}\n`).replaceAll('now()', now);
}
