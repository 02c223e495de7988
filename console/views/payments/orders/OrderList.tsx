import { Anchor, Text } from '@mantine/core';
import { IconShoppingCart } from '@tabler/icons-react';
import { Link } from 'wouter';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { StateWithReason } from '../StateWithReason.tsx';
import { NewOrder } from './NewOrder.tsx';

const ORDERS = graphql(`
  query GatewayOrders($after: String) {
    gatewayOrders(first: 25, after: $after) {
      nodes {
        id
        orderId
        status
        errorMessage
        amount { amount currencyCode }
        amountPaid { amount currencyCode }
        note
        expiresAt
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Order = ResultOf<typeof ORDERS>['gatewayOrders']['nodes'][number];

export default function OrderList() {
  return (
    <PaymentsPage actions={<NewOrder />}>
      <Card isFlush>
        <PagedTable
          label="Orders"
          document={ORDERS}
          variables={{}}
          connectionOf={data => data.gatewayOrders}
          typename="GatewayOrder"
          keyOf={order => order.id}
          columns={COLUMNS}
          empty={
            <Empty title="No order yet" icon={IconShoppingCart}>
              The checkout of your shop creates orders through the API. Owners can also create them
              here.
            </Empty>
          }
        />
      </Card>
    </PaymentsPage>
  );
}

const COLUMNS: readonly Column<Order>[] = [
  {
    title: 'Amount',
    cell: ({ id, amount }) => (
      <Anchor component={Link} href={PAYMENTS.order(id)} underline="hover" fw={600}>
        <Money of={amount} />
      </Anchor>
    ),
  },
  { title: 'State', cell: order => <StateWithReason of={order} /> },
  {
    title: 'Paid',
    isNumber: true,
    isWide: true,
    cell: ({ amountPaid }) => <Money of={amountPaid} />,
  },
  {
    title: 'Order',
    cell: ({ orderId, note }) => (
      <>
        <Text size="sm">{note}</Text>
        <Text className="mono" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {orderId}
        </Text>
      </>
    ),
  },
  { title: 'Open until', isWide: true, cell: ({ expiresAt }) => <When at={expiresAt} /> },
  { title: 'Made', cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
];
