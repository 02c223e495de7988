import { describedEnum, uppercaseEnum } from '../platform/graph/described-enum.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { seriesQuery } from '../platform/graph/report.ts';
import { EventMatchInput, PERSON_TEXT, SQL_TEXT } from './event-match.graph.ts';
import {
  RETENTION_DAYS_MAX,
  type Retention,
  type RetentionCohort,
  type RetentionKind,
  type RetentionPeriod,
  retention,
} from './retention.reads.ts';

const RetentionPeriodEnum = uppercaseEnum<RetentionPeriod>(
  'RetentionPeriod',
  'The length of a period in a retention report. Days and weeks begin at midnight in the report’s time zone.',
  {
    day: `One day, from midnight to midnight, for ranges of up to ${RETENTION_DAYS_MAX.day} days.`,
    week: `One week, beginning on Monday, for ranges of up to ${RETENTION_DAYS_MAX.week} days.`,
  },
);

const RetentionKindEnum = describedEnum<RetentionKind>(
  'RetentionKind',
  'The rule that assigns people to cohorts.',
  {
    FIRST_TIME:
      'Each person belongs to one cohort: the cohort of the period that contains their first matching event within the range.',
    RECURRING:
      'Each person belongs to the cohort of every period in which they have a matching event.',
  },
);

const RetentionCohortRef = memberObject<RetentionCohort>('RetentionCohort', {
  description: 'The people in the cohort of a given period, and how many of them returned.',
  fields: t => ({
    ...expose(t, 'DateTime!', { start: 'The start of the period.' }),
    ...expose(t, 'Int!', { people: 'The number of people in the cohort.' }),
    ...expose(t, '[Int!]!', {
      returned:
        'The number of people in the cohort who returned, for each period from the cohort’s own period to the last period in the range. In the cohort’s own period, the returning event can precede the first event.',
    }),
  }),
});

const RetentionRef = memberObject<Retention>('Retention', {
  description: 'Cohorts of people, and how many people in each cohort returned.',
  fields: t => ({
    ...expose(t, [RetentionCohortRef], {
      cohorts:
        'One cohort per period in the range, oldest first. For the first and last periods, only events within the range are counted.',
    }),
    ...expose(t, 'String!', { sql: SQL_TEXT }),
  }),
});

seriesQuery('retention', {
  type: RetentionRef,
  description: `The number of people in the viewer’s workspace who returned in later periods. The \`timestamp\` of an event determines its period. ${PERSON_TEXT}`,
  daysMax: RETENTION_DAYS_MAX.week,
  args: arg => ({
    period: arg({
      type: RetentionPeriodEnum,
      required: true,
      description: 'The length of a period, which determines the maximum range.',
    }),
    timeZone: arg.string({
      defaultValue: 'UTC',
      required: true,
      description: 'The IANA time zone of the periods, such as Asia/Kolkata.',
    }),
    firstEvent: arg({
      type: EventMatchInput,
      required: true,
      description: 'The event that adds a person to a cohort.',
    }),
    returningEvent: arg({
      type: EventMatchInput,
      required: true,
      description: 'The event that counts as a return.',
    }),
    kind: arg({
      type: RetentionKindEnum,
      defaultValue: 'FIRST_TIME',
      required: true,
      description: 'The rule that assigns people to cohorts.',
    }),
  }),
  read: (context, input) => retention(context, input),
});
