import { graphql, type ResultOf } from '../../graph/graphql.ts';
import { type RejectedSent, rejectedSent } from '../../pieces/sent-event/rejected-sent.ts';

export const REASONS = graphql(`
  query RejectedReasons($range: ReportRange!) {
    rejectedEventCodes(range: $range) {
      code count firstSeenAt lastSeenAt endpoints messages
    }
  }
`);

export type Reason = NonNullable<ResultOf<typeof REASONS>['rejectedEventCodes']>[number];

export const GROUPS = graphql(`
  query RejectedGroups($range: ReportRange!, $code: String) {
    rejectedEventGroups(range: $range, code: $code) {
      key code endpoint event sdk count firstSeenAt lastSeenAt messages
      sdkKey { id name }
    }
  }
`);

export type Group = NonNullable<ResultOf<typeof GROUPS>['rejectedEventGroups']>[number];
/** The maximum of the API. */
export const GROUPS_MAX = 100;

export const EVENTS = graphql(`
  query RejectedEvents($range: ReportRange!, $code: String, $group: String, $after: String) {
    rejectedEvents(range: $range, code: $code, group: $group, first: 100, after: $after) {
      nodes {
        receivedAt code message endpoint messageId batchIndex hash isAccepted body
        sdkKey { id name }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type RejectedNode = NonNullable<ResultOf<typeof EVENTS>['rejectedEvents']>['nodes'][number];

export type RejectedRow = {
  readonly sent: RejectedSent;
  readonly hash: string;
  /** Null if unknown, because the message ID is. */
  readonly isAccepted: boolean | null;
};

export function rowOf(node: RejectedNode): RejectedRow {
  return {
    sent: rejectedSent(node),
    hash: node.hash,
    isAccepted: node.isAccepted,
  };
}
