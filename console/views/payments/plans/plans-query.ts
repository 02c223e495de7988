import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';

export const PLAN_LIST = graphql(`
  query GatewayPlans($after: String) {
    gatewayPlans(first: 25, after: $after) {
      nodes {
        id
        planId
        name
        type
        status
        errorMessage
        maxAmount { amount currencyCode }
        recurringAmount { amount currencyCode }
        interval
        intervals
        maxCycles
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedPlan = ResultOf<typeof PLAN_LIST>['gatewayPlans']['nodes'][number];

export const CREATE = graphql(`
  mutation GatewayPlanCreate($input: GatewayPlanCreateInput!, $key: String!) {
    gatewayPlanCreate(input: $input) @idempotent(key: $key) {
      gatewayPlan { id }
      userErrors { code message field }
    }
  }
`);

export type PlanInput = VariablesOf<typeof CREATE>['input'];
