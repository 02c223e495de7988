import type { z } from 'zod';
import type { Context } from '../platform/context.ts';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { reportRoute } from '../platform/rest/routes.ts';
import { type FunnelLine, funnel, funnelDropOffs } from './funnel.reads.ts';
import { funnelBody, funnelDropOffsBody, retentionBody, trendsBody } from './insight.contract.ts';
import { dropOffsTable, funnelTable, retentionTable, trendsTable } from './insight.csv.ts';
import {
  funnelDropOffsResource,
  funnelResource,
  retentionResource,
  trendsResource,
} from './insight.resource.ts';
import type { Measure } from './measure.ts';
import { type RetentionKind, retention } from './retention.reads.ts';
import { type TrendLine, type TrendRest, trends } from './trend.reads.ts';

const common = { tag: 'Insights', isInWorkspace: true } as const;
const PERSON =
  'A person is identified by an event’s user ID or, if that is empty, by the event’s anonymous ID. Events with neither ID do not belong to any person.';

export function insightRoutes(app: RestApp): void {
  reportRoute(app, {
    ...common,
    path: '/api/v1/insights/trends',
    operationId: 'queryTrends',
    summary: 'Query trends: event metrics by time bucket',
    description: `Returns the same data as the GraphQL query \`trends\`. ${PERSON}`,
    body: trendsBody,
    result: ['The trends.', { trends: trendsResource }],
    show: trendsShown,
    csv: trendsTable,
  });
  reportRoute(app, {
    ...common,
    path: '/api/v1/insights/retention',
    operationId: 'queryRetention',
    summary: 'Query retention: the number of people who returned in later periods',
    description: `Returns the same data as the GraphQL query \`retention\`. ${PERSON}`,
    body: retentionBody,
    result: ['The cohorts.', { retention: retentionResource }],
    show: retentionShown,
    csv: retentionTable,
  });
  reportRoute(app, {
    ...common,
    path: '/api/v1/insights/funnel',
    operationId: 'queryFunnel',
    summary: 'Query a funnel: the number of people who performed several events in sequence',
    description: `Returns the same data as the GraphQL query \`funnel\`. ${PERSON}`,
    body: funnelBody,
    result: ['The funnel.', { funnel: funnelResource }],
    show: funnelShown,
    csv: funnelTable,
  });
  reportRoute(app, {
    ...common,
    path: '/api/v1/insights/funnel-drop-offs',
    operationId: 'queryFunnelDropOffs',
    summary: 'List the people who reached a step of a funnel but not the next one',
    description: `Returns the same data as the GraphQL query \`funnelDropOffs\`. ${PERSON}`,
    body: funnelDropOffsBody,
    result: ['A page of people.', funnelDropOffsResource],
    show: dropOffsShown,
    csv: dropOffsTable,
  });
}

async function trendsShown(body: z.output<typeof trendsBody>, context: Context) {
  const { time_zone, is_compared, series, rest, ...same } = body;
  const report = await trends(context, {
    ...same,
    timeZone: time_zone,
    isCompared: is_compared,
    rest: rest.toUpperCase() as TrendRest,
    series: series.map(({ measure, ...one }) => ({
      ...one,
      measure: measure.toUpperCase() as Measure,
    })),
  });
  return {
    trends: {
      bucket_starts: timesOf(report.bucketStarts),
      previous_bucket_starts: report.previousBucketStarts && timesOf(report.previousBucketStarts),
      lines: report.lines.map(trendLineShown),
      sql: report.sql,
    },
  };
}

function trendLineShown(line: TrendLine) {
  return {
    series: line.series,
    values: [...line.values],
    is_rest: line.isRest,
    total: line.total,
    points: [...line.points],
    previous_total: line.previousTotal,
    previous_points: line.previousPoints && [...line.previousPoints],
  };
}

async function retentionShown(body: z.output<typeof retentionBody>, context: Context) {
  const { time_zone, first_event, returning_event, kind, ...same } = body;
  const { cohorts, sql } = await retention(context, {
    ...same,
    timeZone: time_zone,
    firstEvent: first_event,
    returningEvent: returning_event,
    kind: kind.toUpperCase() as RetentionKind,
  });
  const shown = cohorts.map(({ start, people, returned }) => ({
    start: start.toISOString(),
    people,
    returned: [...returned],
  }));
  return { retention: { cohorts: shown, sql } };
}

async function funnelShown(body: z.output<typeof funnelBody>, context: Context) {
  const { window_seconds, ...same } = body;
  const { lines, sql } = await funnel(context, { ...same, windowSeconds: window_seconds });
  return { funnel: { lines: lines.map(funnelLineShown), sql } };
}

function funnelLineShown({ value, isRest, steps }: FunnelLine) {
  const shown = steps.map(step => ({
    step: step.step,
    people: step.people,
    conversion_from_first: step.conversionFromFirst,
    conversion_from_previous: step.conversionFromPrevious,
    median_seconds_from_previous: step.medianSecondsFromPrevious,
  }));
  return { value, is_rest: isRest, steps: shown };
}

async function dropOffsShown(body: z.output<typeof funnelDropOffsBody>, context: Context) {
  const { window_seconds, limit, cursor, ...same } = body;
  const page = await funnelDropOffs(context, {
    ...same,
    windowSeconds: window_seconds,
    first: limit,
    after: cursor,
  });
  return {
    status: 'SUCCESS' as const,
    items: [...page.personIds],
    next_cursor: page.hasNextPage ? page.endCursor : null,
    sql: page.sql,
  };
}

function timesOf(dates: readonly Date[]): string[] {
  return dates.map(date => date.toISOString());
}
