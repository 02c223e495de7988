// The members of a rule at a time: ClickHouse counts the events of people, Postgres has their traits,
// which are compared by the same code as in audiences.

import {
  type Comparison,
  compileTrait,
  type Traits,
  traitsOf,
} from '../../schema/campaign/audience.ts';
import { compileRule } from '../../schema/campaign/rule.ts';
import { createStatement } from '../insights/statement.ts';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import { candidatesQuery } from './segment.sql.ts';
import { comparisonsOf, eventConditionsOf, type SegmentRule } from './segment-rule.ts';

export type SegmentPeople = {
  /** In the order of their bytes. */
  readonly userIds: readonly string[];
  /** The statement that counted the events. */
  readonly sql: string;
};

/** All of them are written in one transaction of a few seconds, and about one second once most are members. */
export const SEGMENT_PEOPLE_MAX = 100_000;
/** Limits memory, as traits may be large. */
const PEOPLE_PER_READ = 1_000;

/** Rejects with SEGMENT_TOO_LARGE if more people than the limit meet the conditions on events. */
export async function evaluateRule(
  context: Context,
  rule: SegmentRule,
  nowMs: number,
  peopleMax = SEGMENT_PEOPLE_MAX,
): Promise<SegmentPeople> {
  const statement = createStatement({ fromMs: 0, toMs: nowMs });
  const query = candidatesQuery(statement, rule, { nowMs, limit: peopleMax + 1 });
  const { rows, sql: shown } = await statement.ask<Candidates>(context, query);
  const { userIds, met } = rows[0] ?? { userIds: [], met: [] };
  if (userIds.length > peopleMax) return reject('SEGMENT_TOO_LARGE');
  const comparisons = comparisonsOf(rule);
  if (comparisons.length === 0) return { userIds, sql: shown };
  const isMember = compileSegment(rule);
  const members: string[] = [];
  for (let from = 0; from < userIds.length; from += PEOPLE_PER_READ) {
    const some = userIds.slice(from, from + PEOPLE_PER_READ);
    const traits = await readTraits(context, some, comparisons);
    for (const [at, userId] of some.entries())
      if (isMember({ met: met[from + at]!, traits: traits.get(userId) ?? {} }))
        members.push(userId);
  }
  return { userIds: members, sql: shown };
}

type Candidates = { readonly userIds: readonly string[]; readonly met: readonly number[] };

/** A person: a bit per condition on events that is met, and the traits. */
type Candidate = { readonly met: number; readonly traits: Traits };

function compileSegment(rule: SegmentRule): (person: Candidate) => boolean {
  const events = eventConditionsOf(rule);
  return compileRule(rule, condition => {
    if ('event' in condition) {
      const bit = 1 << events.indexOf(condition);
      return ({ met }: Candidate) => (met & bit) !== 0;
    }
    const holds = compileTrait(condition);
    return ({ traits }) => holds(traits);
  });
}

/** The compared traits of the contacts among these people. */
async function readTraits(
  context: Context,
  userIds: readonly string[],
  comparisons: readonly Comparison[],
): Promise<ReadonlyMap<string, Traits>> {
  const em = await context.read();
  const rows = await rowsOf(
    em,
    sql<{ userId: string; asked: Traits | null }>`
      SELECT user_id, asked
      FROM contacts
      CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(name, traits -> name) AS asked
        FROM unnest(${traitsOf(comparisons)}::text[]) AS name
      ) AS part
      WHERE workspace_id = ${workspaceOf(context.viewer)} AND user_id = ANY(${userIds}::text[])`,
  );
  return new Map(rows.map(({ userId, asked }) => [userId, asked ?? {}]));
}
