import { graphql, type ResultOf } from '../../graph/graphql.ts';
import { readBody } from '../../pieces/sent-event/read-body.ts';
import { type RejectedSent, rejectedSent } from '../../pieces/sent-event/rejected-sent.ts';

export const REASONS = graphql(`
  query RejectedReasons($range: ReportRange!) {
    rejectedEventCodes(range: $range) { code count firstSeenAt lastSeenAt endpoints }
  }
`);

export type Reason = NonNullable<ResultOf<typeof REASONS>['rejectedEventCodes']>[number];

export const EVENTS = graphql(`
  query RejectedEvents($range: ReportRange!, $code: String, $after: String) {
    rejectedEvents(range: $range, code: $code, first: 100, after: $after) {
      nodes {
        receivedAt code message endpoint messageId batchIndex body
        sdkKey { id name }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type RejectedNode = NonNullable<ResultOf<typeof EVENTS>['rejectedEvents']>['nodes'][number];

export type RejectedRow = {
  readonly sent: RejectedSent;
  readonly keyName: string | null;
  readonly sdk: string | null;
};

export function rowOf(node: RejectedNode): RejectedRow {
  return {
    sent: rejectedSent(node),
    keyName: node.sdkKey?.name ?? null,
    sdk: readBody(node.body).sdk,
  };
}
