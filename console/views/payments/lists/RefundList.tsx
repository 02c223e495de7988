import { Anchor, Text } from '@mantine/core';
import { IconReceiptRefund } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { REFUND_COLUMNS, REFUND_LIST } from './refunds.tsx';

export function RefundList() {
  return (
    <PaymentsPage>
      <Card isFlush>
        <Text size="sm" c="dimmed" p="lg" pb="sm">
          To refund a payment, open it in{' '}
          <Anchor component={Link} href={PAYMENTS.payments} inherit>
            Payments
          </Anchor>
          .
        </Text>
        <PagedTable
          label="Refunds"
          document={REFUND_LIST}
          variables={{}}
          connectionOf={data => data.gatewayRefunds}
          typename="GatewayRefund"
          keyOf={refund => refund.id}
          columns={REFUND_COLUMNS}
          empty={
            <Empty title="No refunds yet" icon={IconReceiptRefund}>
              Refunds that you make here or in the payment gateway’s dashboard appear in this list.
            </Empty>
          }
        />
      </Card>
    </PaymentsPage>
  );
}
