import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const ERASURES = graphql(`
  query PersonErasures($after: String) {
    personErasures(first: 20, after: $after) {
      nodes {
        id state actorId createdAt erasedAt completedAt nextPassAt digest lateDays
        tables { engine table before later left outcome reason }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** Also refetches an empty list after a person is erased. */
export const OF_ERASURES = { additionalTypenames: ['PersonErasure'] };

export type ErasurePage = ResultOf<typeof ERASURES>['personErasures'];
export type Erasure = ErasurePage['nodes'][number];
