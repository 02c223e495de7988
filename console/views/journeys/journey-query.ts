import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const JOURNEY = graphql(`
  query Journey($id: ID!) {
    journey(id: $id) {
      id
      name
      status
      version
      definitionNumber
      createdAt
      updatedAt
      inFlightCount
      entrySegment { id name memberCount }
      nodes {
        id
        kind
        next
        onDismissed
        onExpired
        seconds
        channel
        language
        versionId
        variables
        widgetType
        content
        template {
          id
          name
          archivedAt
          approvedVersions { id number channel language state isSendable }
        }
      }
    }
  }
`);

export type Journey = NonNullable<ResultOf<typeof JOURNEY>['journey']>;
export type Step = Journey['nodes'][number];
