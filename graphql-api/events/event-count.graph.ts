import { expose, memberObject } from '../platform/graph/fields.ts';
import { seriesQuery } from '../platform/graph/report.ts';
import { bucketArgs, EventTypeEnum } from '../platform/graph/report-args.ts';
import {
  type EventCountLine,
  type EventCounts,
  eventCounts,
  TOP_MAX,
} from './event-count.reads.ts';

const TOP_DEFAULT = 10;

const EventCountLineRef = memberObject<EventCountLine>('EventCountLine', {
  description: 'The number of events with a given type and name in each bucket.',
  fields: t => ({
    type: t.expose('type', {
      type: EventTypeEnum,
      description: 'The event type; null if `isRest` is true.',
    }),
    ...expose(t, 'String', {
      name: 'The name of the events, pages or screens; empty if they have none. Null if `isRest` is true.',
    }),
    isRest: t.boolean({
      nullable: false,
      description: 'Whether this line combines all names that have no line of their own.',
      resolve: line => line.type === undefined,
    }),
    ...expose(t, 'Int!', { total: 'The total number of events in all buckets.' }),
    ...expose(t, '[Int!]!', {
      counts: 'The number of events in each bucket, in the order of `bucketStarts`.',
    }),
  }),
});

const EventCountsRef = memberObject<EventCounts>('EventCounts', {
  description: 'The number of events, by name and bucket.',
  fields: t => ({
    ...expose(t, '[DateTime!]!', {
      bucketStarts:
        'The start of each bucket. The first and last buckets count only events within the range.',
    }),
    ...expose(t, [EventCountLineRef], {
      lines:
        'The lines, those with the most events first. The line that combines all other names, if any, is last.',
    }),
  }),
});

seriesQuery('eventCounts', {
  type: EventCountsRef,
  description:
    'The number of events in the viewer’s workspace, by name and time bucket. The `timestamp` of an event determines its bucket.',
  args: arg => ({
    ...bucketArgs(arg),
    top: arg.int({
      defaultValue: TOP_DEFAULT,
      required: true,
      description: `The number of names that get their own line, from 1 to ${TOP_MAX}.`,
    }),
    types: arg({ type: [EventTypeEnum], description: 'Filters by event type.' }),
    names: arg.stringList({ description: 'Filters by name. At most 50 names.' }),
  }),
  read: (context, input) => eventCounts(context, input),
});
