import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const LOGINS = graphql(`
  query AnalystLogins($after: String) {
    analystLogins(first: 50, after: $after) {
      nodes { id name userName state url database createdAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** So that an empty list, too, is asked anew when a login was made. */
export const OF_LOGINS = { additionalTypenames: ['AnalystLogin'] };

export type AnalystLogin = ResultOf<typeof LOGINS>['analystLogins']['nodes'][number];
