// The questions of docs/questions.md, so that the benchmark asks what the docs recommend.

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

/** The question about the generated events, read from that table or view, as asked at that time. */
export function statementOf(
  { sql }: Pick<Question, 'sql'>,
  source: string,
  now = `toDateTime64('${END} 00:00:00', 3, 'UTC')`,
): string {
  return sql.replaceAll('FROM events\n', `FROM ${source}\n`).replaceAll('now()', now);
}
