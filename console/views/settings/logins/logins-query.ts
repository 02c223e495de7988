import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const LOGINS = graphql(`
  query AnalystLogins($after: String) {
    analystLogins(first: 50, after: $after) {
      nodes { id name userName state url database createdAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const LOGIN = graphql(`
  query AnalystLogin($id: ID!) {
    node(id: $id) {
      __typename
      ... on AnalystLogin { id name userName state url database createdAt }
    }
  }
`);

/** Also refetches an empty list after a login is created. */
export const OF_LOGINS = { additionalTypenames: ['AnalystLogin'] };

export type AnalystLogin = ResultOf<typeof LOGINS>['analystLogins']['nodes'][number];
