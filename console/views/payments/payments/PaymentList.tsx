import { IconCreditCard } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { ListCsvButton } from '../../../pieces/list-csv/ListCsvButton.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PaymentFilters } from './PaymentFilters.tsx';
import { PaymentTotals } from './PaymentTotals.tsx';
import { PAYMENT_COLUMNS } from './payment-columns.tsx';
import { PAYMENTS_CSV } from './payments-csv.ts';
import { PAYMENT_LIST } from './payments-query.ts';
import { usePaymentFilter } from './use-payment-filter.ts';

export function PaymentList() {
  const { chosen, variables, choose } = usePaymentFilter();
  const isFiltered = Object.keys(variables).length > 0;
  return (
    <PaymentsPage actions={<ListCsvButton list={PAYMENTS_CSV} variables={variables} />}>
      {/* A query keeps its data while other variables load: never sums of earlier filters. */}
      <PaymentTotals key={JSON.stringify(variables)} variables={variables} />
      <Card isFlush>
        <PaymentFilters chosen={chosen} onChoose={choose} />
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
