import { Anchor, Stack, Text } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { ListCsvButton } from '../../../pieces/list-csv/ListCsvButton.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { GatewayState } from '../GatewayState.tsx';
import { inMethod } from '../in-method.ts';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { PaymentFilters } from './PaymentFilters.tsx';
import { PaymentTotals } from './PaymentTotals.tsx';
import { PAYMENTS_CSV } from './payments-csv.ts';
import { KINDS, type ListedPayment, PAYMENT_LIST } from './payments-query.ts';
import { usePaymentFilter } from './use-payment-filter.ts';

export function PaymentList() {
  const { chosen, variables, choose } = usePaymentFilter();
  const isFiltered = Object.keys(variables).length > 0;
  return (
    <PaymentsPage actions={<ListCsvButton list={PAYMENTS_CSV} variables={variables} />}>
      <PaymentTotals variables={variables} />
      <Card isFlush>
        <PaymentFilters chosen={chosen} onChoose={choose} />
        <PagedTable
          label="Payments"
          document={PAYMENT_LIST}
          variables={variables}
          connectionOf={data => data.gatewayPayments}
          typename="GatewayPayment"
          keyOf={payment => payment.cfPaymentId}
          columns={COLUMNS}
          empty={
            isFiltered ? (
              <Empty title="No results" icon={IconCreditCard}>
                Search for the whole ID, or choose another state, another method
                or other days.
              </Empty>
            ) : (
              <Empty title="No payment yet" icon={IconCreditCard}>
                Payments appear here when the payment gateway reports them. The shortest way to the
                first one is a payment link.
              </Empty>
            )
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
  const { kind, orderId, linkId, subscriptionId, link, subscription } = payment;
  const title = link?.purpose ?? (linkId === null ? KINDS[kind] : 'A link');
  const href =
    (link && PAYMENTS.link(link.id)) ?? (subscription && PAYMENTS.subscription(subscription.id));
  return (
    <Stack gap={0} align="flex-start" maw={320}>
      {href === null ? (
        <Text size="sm">{title}</Text>
      ) : (
        <Anchor component={Link} href={href} underline="hover" size="sm">
          {title}
        </Anchor>
      )}
      <Text size="xs" c="dimmed" className="mono" visibleFrom="md">
        {subscriptionId ?? linkId ?? orderId}
      </Text>
    </Stack>
  );
}
