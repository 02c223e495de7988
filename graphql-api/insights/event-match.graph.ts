// The inputs of all insights: events, and values of events.

import { builder } from '../platform/graph/builder.ts';
import {
  type EventColumn,
  type EventMatch,
  type EventProperty,
  type EventPropertyFilter,
  FILTER_VALUES_MAX,
  FILTERS_MAX,
  PATH_KEYS_MAX,
} from './event-match.ts';

const EventColumnEnum = builder.enumType('EventColumn', {
  description: 'A column of an event.',
  values: {
    TYPE: { value: 'type' as EventColumn, description: 'The type, in lower case.' },
    EVENT: { value: 'event' as EventColumn, description: 'The name of the event.' },
    NAME: { value: 'name' as EventColumn, description: 'The name of the page or screen.' },
    USER_ID: { value: 'user_id' as EventColumn, description: 'The user ID.' },
    ANONYMOUS_ID: { value: 'anonymous_id' as EventColumn, description: 'The anonymous ID.' },
    SESSION_ID: { value: 'session_id' as EventColumn, description: 'The session ID.' },
    PROPERTY_ID: {
      value: 'property_id' as EventColumn,
      description: 'The UUID of the site or app.',
    },
    SDK_KEY_ID: { value: 'sdk_key_id' as EventColumn, description: 'The UUID of the SDK key.' },
  },
});

const PATH = `as the keys from the outermost object to the value. At most ${PATH_KEYS_MAX}`;

export const EventPropertyInput = builder.inputRef<EventProperty>('EventProperty').implement({
  description:
    'A reference to a value of an event: exactly one of the fields. A value is the text of a string, a number or a Boolean. If it is missing, null, an object or a list, the event has no value.',
  fields: t => ({
    column: t.field({ type: EventColumnEnum, description: 'A column.' }),
    properties: t.stringList({ description: `A value in \`properties\`, ${PATH}.` }),
    context: t.stringList({ description: `A value in \`context\`, ${PATH}.` }),
  }),
});

const EventPropertyFilterInput = builder
  .inputRef<EventPropertyFilter>('EventPropertyFilter')
  .implement({
    description:
      'A filter on a value of events. An event must match all given conditions. Numeric comparisons match only JSON numbers, not strings of digits.',
    fields: t => ({
      property: t.field({ type: EventPropertyInput, required: true, description: 'The value.' }),
      equals: t.string({
        description: 'The text of the value. The number 12 and the string "12" have the same text.',
      }),
      in: t.stringList({
        description: `The possible texts of the value, at most ${FILTER_VALUES_MAX}.`,
      }),
      exists: t.boolean({
        description:
          'Whether the event has the property. Null counts as missing; objects and lists do not.',
      }),
      greaterThan: t.float({ description: 'The value is a number greater than this.' }),
      atLeast: t.float({ description: 'The value is a number greater than or equal to this.' }),
      lessThan: t.float({ description: 'The value is a number less than this.' }),
      atMost: t.float({ description: 'The value is a number less than or equal to this.' }),
    }),
  });

export const EventMatchInput = builder.inputRef<EventMatch>('EventMatch').implement({
  description: 'The events that a report counts.',
  fields: t => ({
    name: t.string({
      description: 'The name of the event, page or screen. Any event if omitted.',
    }),
    filters: t.field({
      type: [EventPropertyFilterInput],
      description: `Filters. An event must match all of them. At most ${FILTERS_MAX}.`,
    }),
  }),
});

/** Ends the descriptions of reports that count people. */
export const PERSON_TEXT =
  'A person is the user ID of an event or, if it is empty, the anonymous ID; events with neither have no person.';

export const SQL_TEXT =
  'The ClickHouse statement of this report with its parameters, in a form that analysts can run.';
