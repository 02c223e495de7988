import { graphql, type ResultOf } from '../../../graph/graphql.ts';

/** Each journey names the versions of its templates: more on a page would cost more than one query may. */
export const JOURNEY_LIST = graphql(`
  query JourneyList($status: JourneyStatus, $after: String) {
    journeys(first: 15, status: $status, after: $after) {
      nodes {
        id
        name
        status
        inFlightCount
        updatedAt
        entrySegment { id name }
        nodes {
          kind
          template {
            id
            name
            approvedVersions { id number inFlight { inFlightCount journey { id } } }
          }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type JourneyRow = ResultOf<typeof JOURNEY_LIST>['journeys']['nodes'][number];
