import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const LINK_LIST = graphql(`
  query GatewayLinks($after: String) {
    gatewayLinks(first: 25, after: $after) {
      nodes {
        id
        purpose
        status
        errorMessage
        amount { amount currencyCode }
        amountPaid { amount currencyCode }
        expiresAt
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedLink = ResultOf<typeof LINK_LIST>['gatewayLinks']['nodes'][number];

export const LINK = graphql(`
  query GatewayLink($id: ID!) {
    node(id: $id) {
      __typename
      ... on GatewayLink {
        id
        linkId
        purpose
        status
        errorMessage
        url
        amount { amount currencyCode }
        amountPaid { amount currencyCode }
        minimumPartialAmount { amount currencyCode }
        notes { name value }
        expiresAt
        createdAt
        updatedAt
      }
    }
  }
`);

type Node = NonNullable<ResultOf<typeof LINK>['node']>;
export type PaymentLink = Extract<Node, { __typename: 'GatewayLink' }>;
