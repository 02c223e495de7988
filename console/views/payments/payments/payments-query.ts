import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const PAYMENT_LIST = graphql(`
  query GatewayPayments($after: String) {
    gatewayPayments(first: 25, after: $after) {
      nodes {
        cfPaymentId
        kind
        status
        amount { amount currencyCode }
        method
        orderId
        linkId
        subscriptionId
        paidAt
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedPayment = ResultOf<typeof PAYMENT_LIST>['gatewayPayments']['nodes'][number];

export const PAYMENT = graphql(`
  query GatewayPayment($id: String!) {
    gatewayPayment(cfPaymentId: $id) {
      cfPaymentId
      kind
      status
      amount { amount currencyCode }
      method
      orderId
      linkId
      subscriptionId
      failure
      retryAttempts
      paidAt
      createdAt
    }
  }
`);

export type Payment = NonNullable<ResultOf<typeof PAYMENT>['gatewayPayment']>;

export const KINDS: Record<Payment['kind'], string> = {
  ONE_TIME: 'One-time',
  MANDATE_AUTHORIZATION: 'Proof of a mandate',
  RENEWAL: 'By a mandate',
};
