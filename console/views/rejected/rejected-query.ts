import { graphql, type ResultOf } from '../../graph/graphql.ts';
import { readBody } from '../../pieces/sent-event/read-body.ts';
import type { Sent, SentRefusal } from '../../pieces/sent-event/sent.ts';

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
  readonly sent: Sent & { readonly refusal: SentRefusal };
  readonly keyName: string | null;
  readonly sdk: string | null;
};

export function rowOf(node: RejectedNode): RejectedRow {
  const { code, message, batchIndex, receivedAt, endpoint, messageId, body, sdkKey } = node;
  const { sdk, ...fields } = readBody(body);
  const refusal = { code, message, batchIndex };
  const sdkKeyId = sdkKey?.id ?? null;
  return {
    sent: { ...fields, receivedAt, endpoint, messageId, sdkKeyId, body: body ?? '', refusal },
    keyName: sdkKey?.name ?? null,
    sdk,
  };
}
