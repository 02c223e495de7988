import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const PAYMENT_LIST = graphql(`
  query GatewayPayments(
    $status: String, $methods: [String!], $objectId: String, $search: String, $since: DateTime,
    $until: DateTime, $after: String
  ) {
    gatewayPayments(
      first: 25, after: $after,
      status: $status, methods: $methods, objectId: $objectId, search: $search, since: $since,
      until: $until
    ) {
      nodes {
        cfPaymentId
        kind
        status
        amount { amount currencyCode }
        amountRefunded { amount currencyCode }
        amountRefundable { amount currencyCode }
        isDisputed
        method
        orderId
        linkId
        subscriptionId
        order { id note }
        link { id purpose }
        subscription { id }
        paidAt
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedPayment = ResultOf<typeof PAYMENT_LIST>['gatewayPayments']['nodes'][number];

export const PAYMENT_TOTALS = graphql(`
  query GatewayPaymentTotals(
    $status: String, $methods: [String!], $search: String, $since: DateTime, $until: DateTime
  ) {
    gatewayPaymentTotals(
      status: $status, methods: $methods, search: $search, since: $since, until: $until
    ) {
      currencyCode
      paymentCount
      paid { amount currencyCode }
      refunded { amount currencyCode }
      net { amount currencyCode }
    }
  }
`);

export type PaymentTotal = ResultOf<typeof PAYMENT_TOTALS>['gatewayPaymentTotals'][number];

export const PAYMENT = graphql(`
  query GatewayPayment($id: String!) {
    gatewayPayment(cfPaymentId: $id) {
      cfPaymentId
      kind
      status
      amount { amount currencyCode }
      amountRefunded { amount currencyCode }
      amountRefundable { amount currencyCode }
      isDisputed
      method
      orderId
      linkId
      subscriptionId
      order { id note }
      link { id purpose }
      subscription { id }
      failure
      retryAttempts
      paidAt
      createdAt
    }
  }
`);

export type Payment = NonNullable<ResultOf<typeof PAYMENT>['gatewayPayment']>;

/** The effects on the payment, its refunds and its disputes. */
export const PAYMENT_EFFECTS = graphql(`
  query GatewayPaymentEffects($paymentId: String!, $after: String) {
    gatewayEffects(first: 25, after: $after, paymentId: $paymentId) {
      nodes { name objectKind objectId eventId isLate occurredAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type PaymentEffect = ResultOf<typeof PAYMENT_EFFECTS>['gatewayEffects']['nodes'][number];

export const KINDS: Record<Payment['kind'], string> = {
  ONE_TIME: 'One-time',
  MANDATE_AUTHORIZATION: 'Mandate authorization',
  RENEWAL: 'Renewal',
};
