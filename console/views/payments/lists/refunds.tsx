// Refunds, in the list of all and below their payment or order.

import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { StateWithReason } from '../StateWithReason.tsx';

export const REFUND_LIST = graphql(`
  query GatewayRefunds($paymentId: String, $orderId: String, $after: String) {
    gatewayRefunds(first: 25, after: $after, paymentId: $paymentId, orderId: $orderId) {
      nodes {
        id
        paymentId
        status
        errorMessage
        amount { amount currencyCode }
        speed
        processedSpeed
        note
        bankReference
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedRefund = ResultOf<typeof REFUND_LIST>['gatewayRefunds']['nodes'][number];

export const REFUND_COLUMNS: readonly Column<ListedRefund>[] = [
  { title: 'Amount', cell: ({ amount }) => <Money of={amount} fw={600} /> },
  {
    title: 'State',
    cell: refund => (
      <>
        <StateWithReason of={refund} />
        {refund.bankReference !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Bank reference: {refund.bankReference}
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Payment',
    cell: ({ paymentId }) =>
      paymentId === null ? (
        '–'
      ) : (
        <Anchor
          component={Link}
          href={PAYMENTS.payment(paymentId)}
          underline="hover"
          className="mono"
        >
          {paymentId}
        </Anchor>
      ),
  },
  {
    title: 'Speed',
    isWide: true,
    cell: ({ speed, processedSpeed }) => inPlainWords(processedSpeed ?? speed ?? '–'),
  },
  {
    title: 'Note',
    isWide: true,
    cell: ({ note }) => (
      <Text size="sm" maw={260}>
        {note ?? '–'}
      </Text>
    ),
  },
  { title: 'When', cell: ({ createdAt }) => <When at={createdAt} isDated /> },
];
