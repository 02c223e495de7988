import type { ArgBuilder } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { pageArgs } from '../platform/graph/connection.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { seriesQuery } from '../platform/graph/report.ts';
import { EventMatchInput, EventPropertyInput, PERSON_TEXT, SQL_TEXT } from './event-match.graph.ts';
import {
  EXCLUSIONS_MAX,
  FUNNEL_TOP_MAX,
  type Funnel,
  type FunnelDropOffs,
  type FunnelLine,
  type FunnelStep,
  funnel,
  funnelDropOffs,
  STEPS_MAX,
  STEPS_MIN,
  WINDOW_SECONDS_MAX,
} from './funnel.reads.ts';

const TOP_DEFAULT = 10;
const ATTEMPT_TEXT =
  'An attempt begins with any event that matches the first step. Each of the following steps is reached with the first later event that matches it. The attempt ends if an excluded event occurs between two steps, or when the conversion window ends. For each person, the attempt with the most steps counts; if several have the same number of steps, the earliest counts. Events outside the range are ignored. Events with the same `timestamp` are ordered by the steps that they match.';

const FunnelStepRef = memberObject<FunnelStep>('FunnelStep', {
  description: 'One step of a funnel, with the number of people who reached it.',
  fields: t => ({
    ...expose(t, 'Int!', {
      step: 'The number of the step, starting at 1.',
      people: 'The number of people who reached the step.',
    }),
    ...expose(t, 'Float', {
      conversionFromFirst:
        '`people` ÷ the number of people who reached the first step; null if that number is 0.',
      conversionFromPrevious:
        '`people` ÷ the number of people who reached the previous step; null if that number is 0. For the first step, the value is 1, or null if no one reached the step.',
      medianSecondsFromPrevious:
        'The median time since the previous step, in seconds. If the number of people is even, this is the longer of the two middle times. Null for the first step and for steps that no one reached.',
    }),
  }),
});

const FunnelLineRef = memberObject<FunnelLine>('FunnelLine', {
  description: 'The steps of a funnel, for all people or for one breakdown value.',
  fields: t => ({
    ...expose(t, 'String', {
      value:
        'The value of the breakdown property in the first event of each person’s attempt. Null if there is no breakdown, if the event does not have the property, or if `isRest` is true.',
    }),
    ...expose(t, 'Boolean!', {
      isRest: 'Whether this line combines all values that have no line of their own.',
    }),
    ...expose(t, [FunnelStepRef], { steps: 'The steps, in order.' }),
  }),
});

const FunnelRef = memberObject<Funnel>('Funnel', {
  description: 'The number of people who reached each step of a sequence of events.',
  fields: t => ({
    ...expose(t, [FunnelLineRef], {
      lines:
        'The results: one line or, with a breakdown, one line per value. Lines are sorted by the number of people who reached the first step, in descending order. The line that combines all other values, if any, is last.',
    }),
    ...expose(t, 'String!', { sql: SQL_TEXT }),
  }),
});

function attemptArgs(arg: ArgBuilder<SchemaTypes>) {
  return {
    steps: arg({
      type: [EventMatchInput],
      required: true,
      description: `The steps, in order: at least ${STEPS_MIN} and at most ${STEPS_MAX}.`,
    }),
    windowSeconds: arg.int({
      required: true,
      description: `The conversion window: the maximum number of seconds between the first step and the last, from 1 to ${WINDOW_SECONDS_MAX}.`,
    }),
    exclusions: arg({
      type: [EventMatchInput],
      description: `The events that must not occur between two steps, at most ${EXCLUSIONS_MAX}. An event with the same \`timestamp\` as one of the two steps does not count.`,
    }),
  };
}

seriesQuery('funnel', {
  type: FunnelRef,
  description: `The number of people in the viewer’s workspace who performed several events in sequence, ordered by \`timestamp\`. ${ATTEMPT_TEXT} ${PERSON_TEXT}`,
  args: arg => ({
    ...attemptArgs(arg),
    breakdown: arg({
      type: EventPropertyInput,
      description:
        'Groups people by the value of this property in the first event of their attempt.',
    }),
    top: arg.int({
      defaultValue: TOP_DEFAULT,
      required: true,
      description: `The number of breakdown values that get their own line, from 1 to ${FUNNEL_TOP_MAX}.`,
    }),
  }),
  read: (context, input) => funnel(context, input),
});

const FunnelDropOffsRef = memberObject<FunnelDropOffs>('FunnelDropOffs', {
  description: 'A page of people who reached a step of a funnel but not the next one.',
  fields: t => ({
    ...expose(t, '[String!]!', {
      personIds: 'The user IDs or anonymous IDs of the people, in byte order.',
    }),
    ...expose(t, 'Boolean!', { hasNextPage: 'Whether there are people after this page.' }),
    ...expose(t, 'String', {
      endCursor:
        'The cursor of the last person; null if the page is empty. Pass it as `after` to get the next page.',
    }),
    ...expose(t, 'String!', { sql: SQL_TEXT }),
  }),
});

seriesQuery('funnelDropOffs', {
  type: FunnelDropOffsRef,
  description: `The people in the viewer’s workspace who reached a step of a funnel but not the next one. ${PERSON_TEXT}`,
  args: arg => ({
    ...attemptArgs(arg),
    step: arg.int({
      required: true,
      description:
        'The number of the step at which people dropped out, counting from 1. It cannot be the funnel’s final step.',
    }),
    ...pageArgs(arg),
  }),
  read: (context, input) => funnelDropOffs(context, input),
});
