import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const PLATFORM_EARNINGS = graphql(`
  query PartnerReviewEarnings($status: EarningStatus, $after: String) {
    platformEarnings(first: 30, status: $status, after: $after) {
      nodes {
        id organizationName kind status rateBps createdAt releaseDate
        amount { amount currencyCode }
        clawedBack { amount currencyCode }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type PlatformEarning = ResultOf<
  typeof PLATFORM_EARNINGS
>['platformEarnings']['nodes'][number];
