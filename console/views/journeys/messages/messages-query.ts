import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const MESSAGES = graphql(`
  query JourneyMessages(
    $journeyId: ID!, $range: ReportRange!, $reasons: [SendReason!], $after: String
  ) {
    sends(
      journeyId: $journeyId, range: $range, reasons: $reasons, first: 25, after: $after
    ) {
      nodes {
        sendId sentAt reason userId nodeId
        version { id number template { id name } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Message = NonNullable<ResultOf<typeof MESSAGES>['sends']>['nodes'][number];
