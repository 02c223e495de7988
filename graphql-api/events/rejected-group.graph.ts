import { expose, linked, memberObject } from '../platform/graph/fields.ts';
import { seriesQuery, texts, times } from '../platform/graph/report.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { LIST_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import { SdkKeyRef, sdkKeyById } from '../tenancy/sdk-key.graph.ts';
import {
  GROUPS_MAX,
  MESSAGES_MAX,
  type RejectedGroup,
  rejectedGroups,
} from './rejected-group.reads.ts';

const RejectedGroupRef = memberObject<RejectedGroup>('RejectedEventGroup', {
  description:
    'A group of rejected events with the same error code, endpoint, event name, SDK key and SDK version.',
  fields: t => ({
    ...expose(t, 'String!', {
      key: 'Together with `code`, identifies the group. Pass it as `group` to `rejectedEvents` or `rejectedEventsReplay`.',
      code: 'The error code.',
      endpoint: 'The path that the events were sent to, such as `/v1/batch`.',
    }),
    ...texts(t, {
      event:
        'The name of the event, page, screen or campaign, or the event type if there is no name; null if the event could not be read.',
      sdk: 'The name and version of the SDK, such as `engagement-client 0.1.0`; null if not sent.',
    }),
    ...expose(t, '[String!]!', {
      messages: `Up to ${MESSAGES_MAX} of the most frequent error messages for these events. The selection is approximate if there are many different messages.`,
    }),
    ...expose(t, 'Int!', { count: 'The number of events.' }),
    ...times(t, {
      firstSeenAt: 'When the first of these events in the range was received.',
      lastSeenAt: 'When the last of these events in the range was received.',
    }),
    sdkKey: linked(
      t,
      'sdkKeyId',
      SdkKeyRef,
      sdkKeyById,
      'The SDK key that the events were sent with.',
    ),
  }),
});

seriesQuery('rejectedEventGroups', {
  type: [RejectedGroupRef],
  description: `The groups of rejected events in the viewer’s workspace, largest first. At most ${GROUPS_MAX} groups.`,
  daysMax: LIST_DAYS_MAX,
  args: arg => ({ code: arg.string({ description: 'Filters by error code.' }) }),
  complexity: { field: 1 + QUESTION_POINTS, multiplier: GROUPS_MAX / 10 },
  read: rejectedGroups,
});
