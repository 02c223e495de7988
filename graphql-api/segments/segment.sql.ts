// The people who meet the conditions of a rule on events, as a statement.

import { matchCondition, namesCondition } from '../insights/event-match.ts';
import type { Statement } from '../insights/statement.ts';
import {
  type CountedEvents,
  countedEvents,
  eventConditionsOf,
  foldRule,
  type SegmentRule,
} from './segment-rule.ts';

/**
 * One row: `user_ids`, and for each of them `met`, with one bit per condition on events. People who
 * cannot be members, whatever their traits, are left out. Ordered by user ID, up to `limit`.
 */
export function candidatesQuery(
  statement: Statement,
  rule: SegmentRule,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): string {
  const conditions = eventConditionsOf(rule);
  const counted = conditions.map(condition => countedEvents(condition, nowMs));
  const windows = counted.map(one => windowCondition(statement, one));
  const counts = counted.map(
    ({ match }, at) =>
      `countIf(${windows[at]} AND ${matchCondition(statement, match, ['rule'])}) AS count_${at + 1}`,
  );
  const isMet = counted.map((one, at) => countCondition(statement, one, `count_${at + 1}`));
  const names = conditions.map((_, at) => `is_met_${at + 1}`);
  const bits = names.map((name, at) => `if(${name}, ${2 ** at}, 0)`);
  const matches = counted.map(({ match }) => match);
  return `SELECT groupArray(user_id) AS user_ids, groupArray(met) AS met
FROM (
  SELECT user_id, ${isMet.map((condition, at) => `${condition} AS ${names[at]}`).join(', ')},
         toUInt16(${bits.join(' + ')}) AS met
  FROM (
    SELECT user_id, ${counts.join(',\n           ')}
    FROM events
    WHERE workspace_id = {workspaceId:UUID} AND user_id != ''
      AND (${[...new Set(windows)].join(' OR ')})
      AND ${namesCondition(statement, matches)}
    GROUP BY user_id
  )
  WHERE ${foldRule<string>(rule, {
    every: parts => `(${parts.join(' AND ')})`,
    some: parts => `(${parts.join(' OR ')})`,
    event: (condition, isNegated) =>
      `${isNegated ? 'NOT ' : ''}${names[conditions.indexOf(condition)]}`,
    trait: 'true',
  })}
  ORDER BY user_id
  LIMIT ${statement.bind('UInt32', limit)}
)`;
}

function windowCondition(statement: Statement, { fromMs, toMs }: CountedEvents): string {
  const time = (ms: number) => `fromUnixTimestamp64Milli(${statement.bind('Int64', ms)}, 'UTC')`;
  return `(timestamp >= ${time(fromMs)} AND timestamp < ${time(toMs)})`;
}

function countCondition(
  statement: Statement,
  { atLeast, atMost }: CountedEvents,
  count: string,
): string {
  const least = `${count} >= ${statement.bind('UInt32', atLeast)}`;
  if (atMost === Number.MAX_SAFE_INTEGER) return `(${least})`;
  return `(${least} AND ${count} <= ${statement.bind('UInt32', atMost)})`;
}
