import { graphql, type ResultOf, type VariablesOf } from '../../graph/graphql.ts';

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
export type LiveAccepted = Extract<LiveItem, { __typename: 'LiveEvent' }>;
export type LiveRejected = Extract<LiveItem, { __typename: 'LiveRejectedEvent' }>;
export type LiveSent = LiveAccepted | LiveRejected;
export type LiveCounts = Extract<LiveItem, { __typename: 'LiveCounts' }>;

export function isRejected(sent: LiveSent): sent is LiveRejected {
  return sent.__typename === 'LiveRejectedEvent';
}
