import { Text } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { ListCsvButton } from '../../../pieces/list-csv/ListCsvButton.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PaymentFilters } from './PaymentFilters.tsx';
import { PaymentTotals } from './PaymentTotals.tsx';
import { PAYMENT_COLUMNS } from './payment-columns.tsx';
import { PAYMENTS_CSV } from './payments-csv.ts';
import { PAYMENT_LIST } from './payments-query.ts';
import { usePaymentFilter } from './use-payment-filter.ts';

export function PaymentList() {
  const { chosen, variables, choose, isToRefund } = usePaymentFilter();
  const isFiltered = Object.keys(variables).length > 0;
  const isOwner = useMay('OWNER');
  return (
    <PaymentsPage actions={<ListCsvButton list={PAYMENTS_CSV} variables={variables} />}>
      {/* A query keeps its data while other variables load: never sums of earlier filters. */}
      <PaymentTotals key={JSON.stringify(variables)} variables={variables} />
      <Card isFlush>
        {/* Arrived to refund, the search does not keep the text of an earlier one. */}
        <PaymentFilters key={String(isToRefund)} chosen={chosen} onChoose={choose} />
        {isToRefund && isOwner && chosen.status === 'SUCCESS' && (
          <Text size="sm" c="dimmed" px="lg" pb="sm">
            Open a payment to refund it.
          </Text>
        )}
        <PagedTable
          label="Payments"
          document={PAYMENT_LIST}
          variables={variables}
          connectionOf={data => data.gatewayPayments}
          typename="GatewayPayment"
          keyOf={payment => payment.cfPaymentId}
          columns={PAYMENT_COLUMNS}
          empty={
            isFiltered ? (
              <Empty title="No results" icon={IconCreditCard}>
                Search for a whole ID or for words of the purpose or note, or choose another state,
                another method or other days.
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
