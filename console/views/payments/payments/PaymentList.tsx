import { Anchor, Stack, Text } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { GatewayState } from '../GatewayState.tsx';
import { inMethod } from '../in-method.ts';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { KINDS, type ListedPayment, PAYMENT_LIST } from './payments-query.ts';

export function PaymentList() {
  return (
    <PaymentsPage>
      <Card isFlush>
        <PagedTable
          label="Payments"
          document={PAYMENT_LIST}
          variables={{}}
          connectionOf={data => data.gatewayPayments}
          typename="GatewayPayment"
          keyOf={payment => payment.cfPaymentId}
          columns={COLUMNS}
          empty={
            <Empty title="No payment yet" icon={IconCreditCard}>
              Payments are here as soon as the gateway tells of them. A link is the shortest way to
              the first one.
            </Empty>
          }
        />
      </Card>
    </PaymentsPage>
  );
}

const COLUMNS: readonly Column<ListedPayment>[] = [
  {
    title: 'Amount',
    cell: ({ amount, cfPaymentId }) => (
      <Anchor component={Link} href={PAYMENTS.payment(cfPaymentId)} underline="hover" fw={600}>
        <Money of={amount} />
      </Anchor>
    ),
  },
  { title: 'State', cell: ({ status }) => <GatewayState name={status} /> },
  { title: 'For', cell: payment => <For payment={payment} /> },
  {
    title: 'Method',
    isWide: true,
    cell: ({ method }) => inMethod(method) ?? '–',
  },
  {
    title: 'Payment id',
    isWide: true,
    cell: ({ cfPaymentId }) => <span className="mono">{cfPaymentId}</span>,
  },
  { title: 'When', cell: ({ paidAt, createdAt }) => <When at={paidAt ?? createdAt} isDated /> },
];

function For({ payment }: { readonly payment: ListedPayment }) {
  const { kind, orderId, linkId, subscriptionId } = payment;
  return (
    <Stack gap={0}>
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        {linkId === null ? KINDS[kind] : 'A link'}
      </Text>
      <Text size="xs" c="dimmed" className="mono" visibleFrom="md">
        {subscriptionId ?? linkId ?? orderId}
      </Text>
    </Stack>
  );
}
