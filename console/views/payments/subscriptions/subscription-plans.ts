import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const SUBSCRIPTION_PLANS = graphql(`
  query SubscriptionPlans {
    gatewayPlans(first: 100) {
      nodes {
        id
        name
        status
        maxAmount { amount currencyCode }
        recurringAmount { amount currencyCode }
        interval
        intervals
      }
      pageInfo { hasNextPage }
    }
  }
`);

export type ChosenPlan = ResultOf<typeof SUBSCRIPTION_PLANS>['gatewayPlans']['nodes'][number];
