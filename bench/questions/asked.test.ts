// Each question of docs/questions.md and each statement of docs/analysts.md runs, and returns rows
// for the events of the benchmark.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { rows, warehouse } from '../../test/harness/warehouse.ts';
import { readQuestions, statementOf } from './asked.ts';
import { arrivals, DAYS } from './make-events.ts';

const QUESTIONS = readQuestions();
/** 3,000 events per day, of which only the last days are generated. */
const [ROWS, DAYS_MADE] = [3_000 * DAYS, 6];
/** user-11 is frequent, even within six days. */
const PARAMETERS = { workspaceId: '0000000a-0000-7000-8000-000000000001', userId: 'user-11' };

beforeAll(async () => {
  const { workspaceId } = PARAMETERS;
  for (const { day, statement } of arrivals({
    rows: ROWS,
    seed: 1,
    workspaceId,
    insertedAt: 'now64(3)',
  }))
    if (day >= DAYS - DAYS_MADE && day < DAYS) await warehouse().command({ query: statement });
});

test('the docs have twenty questions', () => {
  expect(QUESTIONS).toHaveLength(20);
});

test.each(QUESTIONS)('$name', async question => {
  const answer = await rows(statementOf(question, 'events'), PARAMETERS);
  expect(answer.length).toBeGreaterThan(0);
});

test('the statements of docs/analysts.md', async () => {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'analysts.md'), 'utf8');
  const statements = [...text.matchAll(/^```sql\n([^`]+)```$/gm)].map(match => match[1]!);
  expect(statements.length).toBeGreaterThan(0);
  for (const sql of statements) {
    const answer = await rows(statementOf({ sql }, 'events'), PARAMETERS);
    expect(answer.length).toBeGreaterThan(0);
  }
});

test('a retried report counts once', async () => {
  const [stored] = await rows<{ messages: string; events: string }>(
    `SELECT uniqExact(message_id) AS messages,
            (SELECT count() FROM events WHERE workspace_id = {workspaceId:UUID}) AS events
     FROM events_raw WHERE workspace_id = {workspaceId:UUID}`,
    PARAMETERS,
  );
  expect(stored?.events).toBe(stored?.messages);
});
