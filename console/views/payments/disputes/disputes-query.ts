import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const DISPUTES = graphql(`
  query GatewayDisputes($paymentId: String, $after: String) {
    gatewayDisputes(first: 25, after: $after, paymentId: $paymentId) {
      nodes {
        disputeId
        type
        status
        amount { amount currencyCode }
        reason
        reasonCode
        cfPaymentId
        orderId
        respondBy
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Dispute = ResultOf<typeof DISPUTES>['gatewayDisputes']['nodes'][number];

const CLOSED = ['MERCHANT_WON', 'MERCHANT_LOST', 'MERCHANT_ACCEPTED'];

/** A status begins with its stage: `CHARGEBACK_MERCHANT_WON`. */
export function isClosed({ status }: Dispute): boolean {
  return CLOSED.some(word => status.endsWith(word));
}
