// Funnels: the number of people who performed several events in sequence. `funnel.sql.ts` describes
// when a step is reached.

import type { Context } from '../platform/context.ts';
import { type PageRequest, requirePageSize } from '../platform/database/page.ts';
import { reject } from '../platform/rejected.ts';
import { requireText } from '../platform/warehouse/event-filter.ts';
import {
  type ReportRange,
  requireRange,
  SERIES_DAYS_MAX,
} from '../platform/warehouse/report-range.ts';
import type { EventMatch, EventProperty } from './event-match.ts';
import { dropOffsQuery, funnelQuery } from './funnel.sql.ts';
import { createStatement } from './statement.ts';

/** The parameters that determine which steps a person reached. */
export type FunnelAttempts = {
  readonly steps: readonly EventMatch[];
  /** From the first step to the last. */
  readonly windowSeconds: number;
  readonly exclusions?: readonly EventMatch[] | null | undefined;
  /** A property of the event that the attempt began with. */
  readonly breakdown?: EventProperty | null | undefined;
};

export type FunnelInput = FunnelAttempts & { readonly range: ReportRange; readonly top: number };

export type Funnel = { readonly lines: readonly FunnelLine[]; readonly sql: string };

export type FunnelLine = {
  /** Null without a breakdown, for people without the value, and for the rest. */
  readonly value: string | null;
  readonly isRest: boolean;
  readonly steps: readonly FunnelStep[];
};

export type FunnelStep = {
  /** From 1. */
  readonly step: number;
  readonly people: number;
  /** Null if there are none to divide by. */
  readonly conversionFromFirst: number | null;
  readonly conversionFromPrevious: number | null;
  readonly medianSecondsFromPrevious: number | null;
};

type FunnelDropOffsInput = PageRequest &
  Omit<FunnelAttempts, 'breakdown'> & { readonly range: ReportRange; readonly step: number };

export type FunnelDropOffs = {
  readonly personIds: readonly string[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
  readonly sql: string;
};

export const STEPS_MIN = 2;
/** The steps of an event are bits of a 16-bit number. */
export const STEPS_MAX = 10;
export const EXCLUSIONS_MAX = 5;
/** The longest range. */
export const WINDOW_SECONDS_MAX = SERIES_DAYS_MAX * 86_400;
export const FUNNEL_TOP_MAX = 50;

type Row = {
  readonly line: number;
  readonly lineValue: string | null;
  readonly step: number;
  readonly people: number;
  readonly medianSeconds: number | null;
};

export async function funnel(context: Context, input: FunnelInput): Promise<Funnel> {
  const { top } = input;
  if (!Number.isInteger(top) || top < 1 || top > FUNNEL_TOP_MAX)
    return reject('BAD_USER_INPUT', {
      field: ['top'],
      message: `top must be between 1 and ${FUNNEL_TOP_MAX}.`,
    });
  requireAttempts(input);
  const statement = createStatement(requireRange(input.range, SERIES_DAYS_MAX));
  const { rows, sql } = await statement.ask<Row>(context, funnelQuery(statement, input, top));
  const byLine = Map.groupBy(rows, ({ line }) => line);
  // Without a breakdown, a funnel without people is a line of zeros.
  if (input.breakdown == null && byLine.size === 0) byLine.set(1, []);
  const lines = [...byLine].map(([line, reached]) => ({
    value: reached[0]?.lineValue ?? null,
    isRest: line > top,
    steps: stepsOf(reached, input.steps.length),
  }));
  return { lines, sql };
}

function stepsOf(rows: readonly Row[], count: number): FunnelStep[] {
  const byStep = new Map(rows.map(row => [row.step, row]));
  const peopleAt = (step: number) => byStep.get(step)?.people ?? 0;
  return Array.from({ length: count }, (_, at) => ({
    step: at + 1,
    people: peopleAt(at + 1),
    conversionFromFirst: ratio(peopleAt(at + 1), peopleAt(1)),
    conversionFromPrevious: ratio(peopleAt(at + 1), peopleAt(Math.max(at, 1))),
    medianSecondsFromPrevious: byStep.get(at + 1)?.medianSeconds ?? null,
  }));
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The people who reached a step and not the next one, by their IDs. */
export async function funnelDropOffs(
  context: Context,
  input: FunnelDropOffsInput,
): Promise<FunnelDropOffs> {
  const { first, after, step, steps } = input;
  requirePageSize(first);
  requireAttempts(input);
  if (!Number.isInteger(step) || step < 1 || step >= steps.length)
    return reject('BAD_USER_INPUT', {
      field: ['step'],
      message: `step must be between 1 and ${steps.length - 1}; the last step is not allowed.`,
    });
  const statement = createStatement(requireRange(input.range, SERIES_DAYS_MAX));
  const page = { step, after: after == null ? '' : personAfter(after), limit: first + 1 };
  const { rows, sql } = await statement.ask<{ person: string }>(
    context,
    dropOffsQuery(statement, input, page),
  );
  const personIds = rows.slice(0, first).map(({ person }) => person);
  const last = personIds.at(-1);
  return {
    personIds,
    hasNextPage: rows.length > first,
    endCursor: last === undefined ? null : Buffer.from(last).toString('base64url'),
    sql,
  };
}

function personAfter(cursor: string): string {
  const person = Buffer.from(cursor, 'base64url').toString();
  if (Buffer.from(person).toString('base64url') !== cursor)
    return reject('INVALID_PAGE', { field: ['after'] });
  requireText(person);
  return person;
}

function requireAttempts({ steps, windowSeconds, exclusions }: FunnelAttempts): void {
  if (steps.length < STEPS_MIN || steps.length > STEPS_MAX)
    reject('BAD_USER_INPUT', {
      field: ['steps'],
      message: `steps must have ${STEPS_MIN} to ${STEPS_MAX} items.`,
    });
  if ((exclusions?.length ?? 0) > EXCLUSIONS_MAX)
    reject('BAD_USER_INPUT', {
      field: ['exclusions'],
      message: `exclusions must have at most ${EXCLUSIONS_MAX} items.`,
    });
  const isSound = Number.isInteger(windowSeconds) && windowSeconds >= 1;
  if (!isSound || windowSeconds > WINDOW_SECONDS_MAX)
    reject('BAD_USER_INPUT', {
      field: ['windowSeconds'],
      message: `windowSeconds must be between 1 and ${WINDOW_SECONDS_MAX} (${SERIES_DAYS_MAX} days).`,
    });
}
