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
  description: 'The number of events of one type and name in each bucket.',
  authScopes: { member: true },
  fields: t => ({
    type: t.field({
      type: EventTypeEnum,
      description: 'The event type; null for the line of remaining names.',
      resolve: line => line.type,
    }),
    name: t.exposeString('name', {
      description:
        'The name of the event, page or screen; empty if the events have none, null for the line of remaining names.',
    }),
    isRest: t.boolean({
      nullable: false,
      description: 'Whether this line combines all names that have no line of their own.',
      resolve: line => line.type === undefined,
    }),
    total: t.exposeInt('total', {
      nullable: false,
      description: 'The number of events in all buckets.',
    }),
    counts: t.exposeIntList('counts', {
      nullable: false,
      description: 'The number of events in each bucket, in the order of `bucketStarts`.',
    }),
  }),
});

const EventCountsRef = builder.objectRef<EventCounts>('EventCounts').implement({
  description: 'The number of events by name and bucket.',
  authScopes: { member: true },
  fields: t => ({
    bucketStarts: t.field({
      type: ['DateTime'],
      nullable: false,
      description:
        'The start of each bucket. The first and the last bucket count only events within the range.',
      resolve: counts => [...counts.bucketStarts],
    }),
    lines: t.field({
      type: [EventCountLineRef],
      nullable: false,
      description:
        'The lines, most frequent name first. The line of remaining names, if any, is last.',
      resolve: ({ lines }) => lines,
    }),
  }),
});

builder.queryField('eventCounts', t =>
  t.field({
    type: EventCountsRef,
    description:
      'The number of events of the viewer’s workspace, by name and by bucket of the event’s own `timestamp`.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, SERIES_DAYS_MAX),
      ...bucketArgs(t.arg),
      top: t.arg.int({
        defaultValue: TOP_DEFAULT,
        required: true,
        description: `The number of names that get their own line, from 1 to ${TOP_MAX}.`,
      }),
      types: t.arg({ type: [EventTypeEnum], description: 'Filters by event type.' }),
      names: t.arg.stringList({ description: 'Filters by name, at most 50.' }),
    },
    complexity: reportCost(1),
    resolve: (_root, { types, names, ...input }, { context }) =>
      eventCounts(context, { ...input, filter: { types, names } }),
  }),
);
