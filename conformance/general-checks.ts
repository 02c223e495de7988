// The rules that every scenario checks, based on the requests of the client.

import {
  hammeringProblems,
  isStored,
  overlapProblems,
  resentProblems,
  waitProblems,
} from './attempt-checks.ts';
import { bodyProblems, idProblems, sentAtProblems, timestampProblems } from './content-checks.ts';
import { batchAttempts, markOf, type Recording } from './record.ts';
import type { RuleId } from './rules.ts';
import type { StoredEvent } from './service.ts';
import type { Problem } from './stage.ts';

export type Evidence = {
  readonly record: Recording;
  /** The rows of the workspace in ClickHouse. */
  readonly stored: readonly StoredEvent[];
  /** The rule that fails if an event is missing. */
  readonly arrival: RuleId;
  readonly clockOffsetMs: number;
  readonly writeKey: string;
};

export const GENERAL_RULES: readonly RuleId[] = [
  'envelope',
  'media-type',
  'encoding',
  'batch-events',
  'batch-bytes',
  'required-fields',
  'message-id-unique',
  'message-id-kept',
  'content-kept',
  'timestamp',
  'sent-at',
  'acknowledged',
  'retry-after',
  'no-hammering',
  'one-request-per-event',
  'once',
];

export function checkGenerally(evidence: Evidence): readonly Problem[] {
  const batches = batchAttempts(evidence.record);
  return [
    ...batches.flatMap(batch => [...bodyProblems(batch, evidence)]),
    ...idProblems(batches),
    ...timestampProblems(batches, evidence),
    ...sentAtProblems(batches, evidence),
    ...resentProblems(batches, isStored, 'acknowledged', 'a 200'),
    ...waitProblems(batches),
    ...hammeringProblems(batches),
    ...overlapProblems(batches),
    ...copyProblems(evidence),
  ];
}

function* copyProblems({ record, stored, arrival }: Evidence): Generator<Problem> {
  const copies = new Map<string, string[]>();
  for (const row of stored) {
    const mark = markOf(rowAsEvent(row));
    if (mark !== undefined) copies.set(mark, [...(copies.get(mark) ?? []), row.message_id]);
  }
  for (const { mark, line, fate } of record.calls) {
    const ids = copies.get(mark) ?? [];
    if (ids.length > 1)
      yield {
        rule: 'once',
        expected: `one row in ClickHouse for ${JSON.stringify(line).slice(0, 200)}`,
        found: `${ids.length} rows, with the messageIds ${ids.join(', ')}`,
      };
    if (fate === 'stored' && ids.length === 0)
      yield {
        rule: arrival,
        expected: `one row in ClickHouse for ${JSON.stringify(line).slice(0, 200)}`,
        found: 'none',
      };
    if (fate === 'dropped' && ids.length > 0)
      yield {
        rule: 'once',
        expected: `no row in ClickHouse for ${JSON.stringify(line).slice(0, 200)}`,
        found: `${ids.length}`,
      };
  }
}

export function rowAsEvent(row: StoredEvent): Readonly<{ [field: string]: unknown }> {
  const parse = (text: string) => (text === '' ? {} : (JSON.parse(text) as object));
  const { properties, traits, extra, ...others } = row;
  return {
    ...others,
    ...parse(extra),
    properties: parse(properties),
    traits: parse(traits),
  };
}
