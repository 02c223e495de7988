import { builder } from '../platform/graph/builder.ts';
import { bucketArgs, EventTypeEnum, rangeArg, reportCost } from '../platform/graph/report-args.ts';
import { SERIES_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import {
  type EventCountLine,
  type EventCounts,
  eventCounts,
  TOP_MAX,
} from './event-count.reads.ts';

const TOP_DEFAULT = 10;

const EventCountLineRef = builder.objectRef<EventCountLine>('EventCountLine').implement({
  description: 'How many events of one name there were in each bucket.',
  authScopes: { member: true },
  fields: t => ({
    type: t.field({
      type: EventTypeEnum,
      description: 'What the calls were; null for the line of the rest.',
      resolve: line => line.type,
    }),
    name: t.exposeString('name', {
      description:
        'Of the event, or of the page or screen; empty where calls have none, null for the line of the rest.',
    }),
    isRest: t.boolean({
      nullable: false,
      description: 'Whether these are all the names that have no line of their own.',
      resolve: line => line.type === undefined,
    }),
    total: t.exposeInt('total', { nullable: false, description: 'In all buckets together.' }),
    counts: t.exposeIntList('counts', {
      nullable: false,
      description: 'In each bucket, in the order of `bucketStarts`.',
    }),
  }),
});

const EventCountsRef = builder.objectRef<EventCounts>('EventCounts').implement({
  description: 'How many events there were, by name and bucket.',
  authScopes: { member: true },
  fields: t => ({
    bucketStarts: t.field({
      type: ['DateTime'],
      nullable: false,
      description:
        'When each bucket begins; the first and the last are counted within the range only.',
      resolve: counts => [...counts.bucketStarts],
    }),
    lines: t.field({
      type: [EventCountLineRef],
      nullable: false,
      description:
        'The most frequent first; the line of the rest, where there is one, is the last.',
      resolve: ({ lines }) => lines,
    }),
  }),
});

builder.queryField('eventCounts', t =>
  t.field({
    type: EventCountsRef,
    description:
      'How many events the viewer’s workspace had, by name and bucket of their own `timestamp`.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, SERIES_DAYS_MAX),
      ...bucketArgs(t.arg),
      top: t.arg.int({
        defaultValue: TOP_DEFAULT,
        required: true,
        description: `How many names get a line of their own: 1 to ${TOP_MAX}.`,
      }),
      types: t.arg({ type: [EventTypeEnum], description: 'Only these calls.' }),
      names: t.arg.stringList({ description: 'Only these names: at most 50.' }),
    },
    complexity: reportCost(1),
    resolve: (_root, { types, names, ...input }, { context }) =>
      eventCounts(context, { ...input, filter: { types, names } }),
  }),
);
