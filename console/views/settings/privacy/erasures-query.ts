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

/** The first pass takes seconds to minutes. */
export const FOLLOW_MS = 2_000;

export type ErasurePage = ResultOf<typeof ERASURES>['personErasures'];
export type Erasure = ResultOf<typeof ERASURE_FIELDS>;
export type ErasedTable = Erasure['tables'][number];

/** The first deletion is not done yet. */
export function isUnderWay({ state }: Pick<Erasure, 'state'>): boolean {
  return state === 'QUEUED' || state === 'RUNNING';
}
