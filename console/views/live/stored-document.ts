// The same events as in the live view, from the reports.

import { graphql, type ResultOf } from '../../graph/graphql.ts';
import type { Sent } from '../../pieces/sent-event/sent.ts';

export const STORED = graphql(`
  query LiveStored($range: ReportRange!, $types: [EventType!], $after: String) {
    events(range: $range, time: RECEIVED_AT, types: $types, first: 100, after: $after) {
      nodes {
        type event name messageId timestamp receivedAt anonymousId userId sessionId
        properties traits context extra
        sdkKey { id }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const STORED_REJECTED = graphql(`
  query LiveStoredRejected($range: ReportRange!, $code: String, $after: String) {
    rejectedEvents(range: $range, code: $code, first: 100, after: $after) {
      nodes {
        receivedAt code message endpoint messageId batchIndex body
        sdkKey { id }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Accepted = NonNullable<ResultOf<typeof STORED>['events']>['nodes'][number];

/** The report has the fields of the event; the text as it was sent is not stored. */
export function acceptedOf(node: Accepted): Sent {
  const { receivedAt, sdkKey, type, extra, ...fields } = node;
  const { event, name, messageId, userId, anonymousId } = fields;
  const sent = { type: type.toLowerCase(), ...fields, ...(extra as object | null) };
  const present = Object.entries(sent).filter(([, value]) => value !== null);
  return {
    receivedAt,
    sdkKeyId: sdkKey?.id ?? null,
    type: sent.type,
    name: event ?? name,
    messageId,
    userId,
    anonymousId,
    body: JSON.stringify(Object.fromEntries(present)),
  };
}
