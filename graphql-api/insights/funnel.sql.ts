// The furthest attempt of each person at a funnel, as a statement.
//
// An attempt begins with any event that matches the first step. The time of each further step is the
// time of the first later event that matches it; an exclusion event between the two, or the end of the
// window, ends the attempt. A person's attempt with the most steps counts, or the earliest of several.
//
// The events of a person are folded once, from the last to the first. At each event, `chains[k]` contains
// the times of the steps from k on, beginning with the first event after this one that matches step k.

import { within } from '../platform/warehouse/report-range.ts';
import { matchCondition, namesCondition, textOf } from './event-match.ts';
import type { FunnelAttempts } from './funnel.reads.ts';
import { PERSON, type Statement } from './statement.ts';

/** Later than any event. */
const NEVER = `toInt64(9223372036854775807)`;

/** Rows: person, times (one per step reached, in milliseconds), value (of the breakdown). */
function attemptsQuery(statement: Statement, input: FunnelAttempts): string {
  return `
      SELECT person, fold.2.1 AS times, fold.2.2 AS value
      FROM (
        SELECT person, ${foldOf(statement, input)} AS fold
        FROM (
          SELECT person, arrayReverse(arraySort(groupArray((at_ms, lowest, steps, is_exclusion, value)))) AS moments
          FROM (${momentsQuery(statement, input)})
          WHERE person != '' AND (steps != 0 OR is_exclusion)
          GROUP BY person
          HAVING max(bitTest(steps, 0))
        )
      )`;
}

/**
 * Events as moments: a bit per step that they match. Moments with the same time are ordered by the
 * steps that they match.
 */
function momentsQuery(statement: Statement, input: FunnelAttempts): string {
  const { steps, breakdown } = input;
  const exclusions = input.exclusions ?? [];
  const conditions = steps.map((step, at) =>
    matchCondition(statement, step, ['steps', String(at)]),
  );
  const names = steps.map((_, at) => `is_step_${at + 1}`);
  const matches = names.map((name, at) => `${conditions[at]} AS ${name}`);
  const excludes = exclusions.map((event, at) =>
    matchCondition(statement, event, ['exclusions', String(at)]),
  );
  const bits = names.map((name, at) => `if(${name}, ${2 ** at}, 0)`);
  const lowest = names.map((name, at) => `${name}, ${at + 1}`);
  const value =
    breakdown == null ? 'NULL' : `if(${names[0]}, ${textOf(statement, breakdown)}, NULL)`;
  return `
            SELECT ${PERSON} AS person, toUnixTimestamp64Milli(timestamp) AS at_ms,
                   ${matches.join(',\n                   ')},
                   toUInt16(${bits.join(' + ')}) AS steps,
                   toUInt8(multiIf(${lowest.join(', ')}, ${steps.length + 1})) AS lowest,
                   toUInt8(${excludes.join(' OR ') || 'false'}) AS is_exclusion,
                   CAST(${value}, 'Nullable(String)') AS value
            FROM events
            WHERE workspace_id = {workspaceId:UUID} AND ${within('timestamp')}
              AND ${namesCondition(statement, [...steps, ...exclusions])}`;
}

/**
 * The state: (chains, (times of the best attempt, its breakdown value)) and, with exclusions, (time of the
 * last moment, first exclusion so far, first exclusion after the time of the last moment). A moment: (time,
 * lowest step, bits of the steps, whether it is an exclusion, breakdown value).
 */
function foldOf(statement: Statement, input: FunnelAttempts): string {
  const { steps, windowSeconds } = input;
  const hasExclusions = (input.exclusions?.length ?? 0) > 0;
  const windowMs = statement.bind('Int64', windowSeconds * 1000);
  const nextExclusion = 'if(m.1 < s.3, s.4, s.5)';
  // Without an exclusion strictly between the moment and the next step.
  const rest = (k: string) =>
    hasExclusions
      ? `if(notEmpty(s.1[${k}]) AND ${nextExclusion} >= s.1[${k}][1], s.1[${k}], emptyArrayInt64())`
      : `s.1[${k}]`;
  const chains = `arrayPushBack(arrayMap(
            k -> if(bitTest(m.3, k - 1), arrayPushFront(${rest('k + 1')}, m.1), s.1[k]),
            range(1, ${steps.length + 1})), emptyArrayInt64())`;
  const attempt = `arrayFilter(at_ms -> at_ms - m.1 <= ${windowMs}, arrayPushFront(${rest('2')}, m.1))`;
  const best = `if(bitTest(m.3, 0) AND length(${attempt}) >= length(s.2.1), (${attempt}, m.5), s.2)`;
  return `arrayFold((s, m) -> (
          ${chains},
          ${best}${hasExclusions ? `, m.1, if(m.4, m.1, s.4), ${nextExclusion}` : ''}),
          moments, (
          CAST(arrayResize([[]], ${steps.length + 1}), 'Array(Array(Int64))'),
          (emptyArrayInt64(), CAST(NULL, 'Nullable(String)'))${hasExclusions ? `, ${NEVER}, ${NEVER}, ${NEVER}` : ''}))`;
}

/** Rows: line (from 1), line_value, step (from 1), people, median_seconds. */
export function funnelQuery(statement: Statement, input: FunnelAttempts, top: number): string {
  const line = statement.bind('UInt32', top);
  return `SELECT least(rank, ${line} + 1) AS line, if(rank > ${line}, NULL, value) AS line_value, step,
       sum(step_people) AS people, quantileExactMerge(0.5)(gaps) / 1000 AS median_seconds
FROM (
  SELECT *, dense_rank() OVER (ORDER BY started DESC, value) AS rank
  FROM (
    SELECT *, sum(if(step = 1, step_people, 0)) OVER (PARTITION BY value) AS started
    FROM (
      SELECT value, step, count() AS step_people,
             quantileExactState(0.5)(if(step = 1, NULL, arrayDifference(times)[step])) AS gaps
      FROM (${attemptsQuery(statement, input)})
      ARRAY JOIN arrayEnumerate(times) AS step
      GROUP BY value, step
    )
  )
)
GROUP BY line, line_value, step
ORDER BY line, step`;
}

/** People whose furthest attempt ended at a step, after a person if one is given. Rows: person. */
export function dropOffsQuery(
  statement: Statement,
  input: FunnelAttempts,
  { step, after, limit }: { step: number; after: string; limit: number },
): string {
  return `SELECT person
FROM (${attemptsQuery(statement, input)})
WHERE length(times) = ${statement.bind('UInt32', step)} AND person > ${statement.bind('String', after)}
ORDER BY person
LIMIT ${statement.bind('UInt32', limit)}`;
}
