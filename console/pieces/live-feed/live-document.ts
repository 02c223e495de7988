import { graphql, type ResultOf, type VariablesOf } from '../../graph/graphql.ts';
import type { Sent } from '../sent-event/sent.ts';

export const LIVE = graphql(`
  subscription Live(
    $kinds: [LiveKind!], $name: String, $type: String, $user: String, $code: String
  ) {
    live(kinds: $kinds, name: $name, type: $type, user: $user, code: $code) {
      __typename
      ... on LiveEvent {
        receivedAt endpoint sdkKeyId type name messageId userId anonymousId
        body isBodyCut bodyBytes
      }
      ... on LiveRejectedEvent {
        receivedAt endpoint sdkKeyId type name messageId userId anonymousId
        body isBodyCut bodyBytes
        code message batchIndex
      }
      ... on LiveCounts { at accepted duplicates rejected notShown isIngestAnswering }
    }
  }
`);

export type LiveItem = ResultOf<typeof LIVE>['live'];
export type LiveVariables = VariablesOf<typeof LIVE>;
type LiveSent = Extract<LiveItem, { __typename: 'LiveEvent' | 'LiveRejectedEvent' }>;
export type LiveCounts = Extract<LiveItem, { __typename: 'LiveCounts' }>;

export function isSent(item: LiveItem): item is LiveSent {
  return item.__typename === 'LiveEvent' || item.__typename === 'LiveRejectedEvent';
}

export function sentOf(item: LiveSent): Sent {
  const { isBodyCut, bodyBytes, ...sent } = item;
  return {
    ...sent,
    ...(isBodyCut && { fullBytes: bodyBytes }),
    ...(item.__typename === 'LiveRejectedEvent' && {
      refusal: { code: item.code, message: item.message, batchIndex: item.batchIndex },
    }),
  };
}
