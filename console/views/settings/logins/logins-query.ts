import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const LOGINS = graphql(`
  query AnalystLogins($after: String) {
    analystLogins(first: 50, after: $after) {
      nodes { id name userName state url database createdAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** Also refetches an empty list after a login is created. */
export const OF_LOGINS = { additionalTypenames: ['AnalystLogin'] };

export type AnalystLogin = ResultOf<typeof LOGINS>['analystLogins']['nodes'][number];
