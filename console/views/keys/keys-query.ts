import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const KEYS = graphql(`
  query Keys($after: String) {
    organization { id ingressEventsPerMinute }
    sdkKeys(first: 50, after: $after) {
      nodes {
        id
        name
        writeKey
        origins
        accepts
        minuteCap
        hourCap
        isActive
        createdAt
        lastUsedAt
        expiresAt
        revokedAt
        replacedBy { id writeKey }
        rotatedFrom { id writeKey }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** So that an empty list is also refetched after a key is created. */
export const OF_KEYS = { additionalTypenames: ['SdkKey'] };

export type SdkKey = ResultOf<typeof KEYS>['sdkKeys']['nodes'][number];
