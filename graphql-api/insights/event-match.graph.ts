// The inputs of all insights: events, and values of events.

import { builder } from '../platform/graph/builder.ts';
import { uppercaseEnum } from '../platform/graph/described-enum.ts';
import {
  type EventColumn,
  type EventMatch,
  type EventProperty,
  type EventPropertyFilter,
  FILTER_VALUES_MAX,
  FILTERS_MAX,
  PATH_KEYS_MAX,
} from './event-match.ts';

const EventColumnEnum = uppercaseEnum<EventColumn>(
  'EventColumn',
  'An event field that has its own column.',
  {
    type: 'The event type, in lowercase.',
    event: 'The name of the event.',
    name: 'The name of the page or screen.',
    user_id: 'The user ID.',
    anonymous_id: 'The anonymous ID.',
    session_id: 'The session ID.',
    property_id: 'The UUID of the site or app.',
    sdk_key_id: 'The UUID of the SDK key.',
  },
);

const PATH = `the keys from the outermost object inward, at most ${PATH_KEYS_MAX}`;

export const EventPropertyInput = builder.inputRef<EventProperty>('EventProperty').implement({
  description:
    'A reference to a value in an event. Specify exactly one of `column`, `properties` and `context`. In text comparisons and breakdowns, strings, numbers and Booleans are treated as text; a missing value, null, an object or a list has no text.',
  fields: t => ({
    column: t.field({ type: EventColumnEnum, description: 'The column that contains the value.' }),
    properties: t.stringList({ description: `The path of a value in \`properties\`: ${PATH}.` }),
    context: t.stringList({ description: `The path of a value in \`context\`: ${PATH}.` }),
  }),
});

const EventPropertyFilterInput = builder
  .inputRef<EventPropertyFilter>('EventPropertyFilter')
  .implement({
    description:
      'A filter on a value in an event. The event must match all given conditions. Numeric comparisons match only JSON numbers, not strings of digits.',
    fields: t => ({
      property: t.field({
        type: EventPropertyInput,
        required: true,
        description: 'The value to filter by.',
      }),
      equals: t.string({
        description:
          'Matches values whose text is this string. The number 12 and the string "12" have the same text.',
      }),
      in: t.stringList({
        description: `Matches values whose text is one of these strings. At most ${FILTER_VALUES_MAX} strings.`,
      }),
      exists: t.boolean({
        description:
          'Filters by whether the value exists. Null counts as missing; objects and lists do not.',
      }),
      greaterThan: t.float({ description: 'Matches numbers greater than this value.' }),
      atLeast: t.float({ description: 'Matches numbers greater than or equal to this value.' }),
      lessThan: t.float({ description: 'Matches numbers less than this value.' }),
      atMost: t.float({ description: 'Matches numbers less than or equal to this value.' }),
    }),
  });

export const EventMatchInput = builder.inputRef<EventMatch>('EventMatch').implement({
  description: 'Selects the events that a report counts.',
  fields: t => ({
    name: t.string({
      description: 'The name of the event, page or screen. If omitted, any event matches.',
    }),
    filters: t.field({
      type: [EventPropertyFilterInput],
      description: `Up to ${FILTERS_MAX} filters, all of which an event must match.`,
    }),
  }),
});

/** Ends the descriptions of reports that count people. */
export const PERSON_TEXT =
  'A person is identified by an event’s user ID or, if that is empty, by the event’s anonymous ID. Events with neither ID do not belong to any person.';

export const SQL_TEXT =
  'The ClickHouse statement that computed this report, with its parameters, in a form that analysts can run.';
