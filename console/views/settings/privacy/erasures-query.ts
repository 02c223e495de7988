import { graphql, type ResultOf } from '../../../graph/graphql.ts';

const ERASURE_FIELDS = graphql(`
  fragment ErasureFields on PersonErasure {
    id state actorId createdAt erasedAt completedAt nextPassAt digest lateDays
    tables { engine table before later left outcome reason }
  }
`);

export const ERASURES = graphql(
  `
  query PersonErasures($after: String) {
    personErasures(first: 20, after: $after) {
      nodes { ...ErasureFields }
      pageInfo { hasNextPage endCursor }
    }
  }
`,
  [ERASURE_FIELDS],
);

export const ERASURE = graphql(
  `
  query PersonErasureReceipt($id: ID!) {
    node(id: $id) { __typename ...ErasureFields }
  }
`,
  [ERASURE_FIELDS],
);

/** Also refetches an empty list after a person is erased. */
export const OF_ERASURES = { additionalTypenames: ['PersonErasure'] };

export type ErasurePage = ResultOf<typeof ERASURES>['personErasures'];
export type Erasure = ResultOf<typeof ERASURE_FIELDS>;
export type ErasedTable = Erasure['tables'][number];
