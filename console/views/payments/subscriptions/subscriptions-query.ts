import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const SUBSCRIPTION_LIST = graphql(`
  query GatewaySubscriptions($after: String) {
    gatewaySubscriptions(first: 25, after: $after) {
      nodes {
        id
        subscriptionId
        planId
        status
        errorMessage
        method
        nextChargeAt
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedSubscription = ResultOf<
  typeof SUBSCRIPTION_LIST
>['gatewaySubscriptions']['nodes'][number];

export const SUBSCRIPTION = graphql(`
  query GatewaySubscription($id: ID!) {
    node(id: $id) {
      __typename
      ... on GatewaySubscription {
        id
        subscriptionId
        planId
        status
        errorMessage
        method
        methods
        mandateAuthorizationUrl
        authorizationStatus
        authorizationAmount { amount currencyCode }
        firstChargeAt
        nextChargeAt
        expiresAt
        createdAt
        updatedAt
      }
    }
  }
`);

type Node = NonNullable<ResultOf<typeof SUBSCRIPTION>['node']>;
export type Subscription = Extract<Node, { __typename: 'GatewaySubscription' }>;

export const MANAGE = graphql(`
  mutation GatewaySubscriptionManage($id: ID!, $input: GatewaySubscriptionManageInput!) {
    gatewaySubscriptionManage(id: $id, input: $input) {
      gatewaySubscription { id status }
      userErrors { code message field }
    }
  }
`);
