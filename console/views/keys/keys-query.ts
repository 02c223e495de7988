import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const KEYS = graphql(`
  query Keys($after: String) {
    sdkKeys(first: 50, after: $after) {
      nodes {
        id
        name
        writeKey
        origins
        minuteCap
        hourCap
        isActive
        createdAt
        lastUsedAt
        expiresAt
        revokedAt
        replacedBy { id name }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type SdkKey = ResultOf<typeof KEYS>['sdkKeys']['nodes'][number];
