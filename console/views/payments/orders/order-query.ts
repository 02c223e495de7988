import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const ORDER = graphql(`
  query GatewayOrder($id: ID!) {
    node(id: $id) {
      __typename
      ... on GatewayOrder {
        id
        orderId
        gatewayId
        status
        errorMessage
        note
        amount { amount currencyCode }
        amountPaid { amount currencyCode }
        amountRefunded { amount currencyCode }
        splits { vendorId amount { amount currencyCode } percentage }
        tags { name value }
        expiresAt
        createdAt
        updatedAt
      }
    }
  }
`);

type Node = NonNullable<ResultOf<typeof ORDER>['node']>;
export type Order = Extract<Node, { __typename: 'GatewayOrder' }>;
