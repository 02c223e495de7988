import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const IMPACT = graphql(`
  query TemplateRolloutImpact($id: ID!) {
    rolloutImpact(id: $id) {
      inFlightCount
      checkedAt
      versions {
        inFlightCount
        version { id number state }
        journeys { inFlightCount journey { id name } }
        diff { isBreaking variables { name isBreaking } }
      }
    }
    templateApprovals { channel isConfigured fault }
  }
`);

export type Impact = NonNullable<ResultOf<typeof IMPACT>['rolloutImpact']>;
export type Touched = Impact['versions'][number];
