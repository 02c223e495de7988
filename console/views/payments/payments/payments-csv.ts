import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';
import type { ListCsv } from '../../../pieces/list-csv/use-list-csv.ts';

const PAYMENT_ROWS = graphql(`
  query GatewayPaymentRows(
    $status: String, $methods: [String!], $search: String, $since: DateTime, $until: DateTime,
    $after: String
  ) {
    gatewayPayments(
      first: 100, after: $after,
      status: $status, methods: $methods, search: $search, since: $since, until: $until
    ) {
      nodes {
        cfPaymentId
        kind
        status
        amount { amount currencyCode }
        method
        failure
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

type Rows = ResultOf<typeof PAYMENT_ROWS>;
type Row = Rows['gatewayPayments']['nodes'][number];

/** The names of the API's fields; times in UTC. */
export const PAYMENTS_CSV: ListCsv<Rows, VariablesOf<typeof PAYMENT_ROWS>, Row> = {
  document: PAYMENT_ROWS,
  connectionOf: data => data.gatewayPayments,
  fileName: 'payments.csv',
  columns: [
    ['payment_id', ({ cfPaymentId }) => cfPaymentId],
    ['status', ({ status }) => status],
    ['amount', ({ amount }) => amount.amount],
    ['currency', ({ amount }) => amount.currencyCode],
    ['kind', ({ kind }) => kind],
    ['method', ({ method }) => method],
    ['failure', ({ failure }) => failure],
    ['order_id', ({ orderId }) => orderId],
    ['link_id', ({ linkId }) => linkId],
    ['subscription_id', ({ subscriptionId }) => subscriptionId],
    ['paid_at', ({ paidAt }) => paidAt],
    ['created_at', ({ createdAt }) => createdAt],
  ],
};
