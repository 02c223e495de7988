import { IconReceiptRefund } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { REFUND_COLUMNS, REFUND_LIST } from './refunds.tsx';

export function RefundList() {
  return (
    <PaymentsPage>
      <Card isFlush>
        <PagedTable
          label="Refunds"
          document={REFUND_LIST}
          variables={{}}
          connectionOf={data => data.gatewayRefunds}
          typename="GatewayRefund"
          keyOf={refund => refund.id}
          columns={REFUND_COLUMNS}
          empty={
            <Empty title="Nothing was given back" icon={IconReceiptRefund}>
              A payment is refunded on its own page, whole or in part.
            </Empty>
          }
        />
      </Card>
    </PaymentsPage>
  );
}
