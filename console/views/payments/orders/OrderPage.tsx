import { Stack } from '@mantine/core';
import { IconCreditCard, IconReceiptRefund } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inMoney } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { When } from '../../../pieces/When.tsx';
import { REFUND_COLUMNS, REFUND_LIST } from '../lists/refunds.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { PAYMENT_COLUMNS } from '../payments/payment-columns.tsx';
import { PAYMENT_LIST } from '../payments/payments-query.ts';
import { StateWithReason } from '../StateWithReason.tsx';
import { ORDER, type Order } from './order-query.ts';

const BACK = { href: PAYMENTS.orders, label: 'Orders' };
/** The gateway's events about these change the sums of the order. */
const OF_ORDER = { additionalTypenames: ['GatewayPayment', 'GatewayRefund'] };

export default function OrderPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: ORDER, variables: { id }, context: OF_ORDER });
  const node = asked[0].data?.node;
  const order = node?.__typename === 'GatewayOrder' ? node : undefined;
  return (
    <Page
      title={
        order ? `Order of ${inMoney(order.amount.amount, order.amount.currencyCode)}` : 'Order'
      }
      back={BACK}
    >
      <Asked asked={asked} label="Loading the order">
        {() =>
          order === undefined ? (
            <Card>
              <Empty title="There is no such order" />
            </Card>
          ) : (
            <Opened order={order} />
          )
        }
      </Asked>
    </Page>
  );
}

function Opened({ order }: { readonly order: Order }) {
  const { orderId } = order;
  return (
    <Stack gap="lg">
      <Card>
        <OrderFacts order={order} />
      </Card>
      <Card title="Payments" isFlush>
        <PagedTable
          label="Payments"
          document={PAYMENT_LIST}
          variables={{ objectId: orderId }}
          connectionOf={data => data.gatewayPayments}
          typename="GatewayPayment"
          keyOf={payment => payment.cfPaymentId}
          columns={PAYMENT_COLUMNS.filter(({ title }) => title !== 'For')}
          empty={<Empty title="No payment yet" icon={IconCreditCard} />}
        />
      </Card>
      <Card title="Refunds" isFlush>
        <PagedTable
          label="Refunds"
          document={REFUND_LIST}
          variables={{ orderId }}
          connectionOf={data => data.gatewayRefunds}
          typename="GatewayRefund"
          keyOf={refund => refund.id}
          columns={REFUND_COLUMNS}
          empty={
            <Empty title="No refund yet" icon={IconReceiptRefund}>
              A payment is refunded on its own page, whole or in part.
            </Empty>
          }
        />
      </Card>
    </Stack>
  );
}

function OrderFacts({ order }: { readonly order: Order }) {
  const { amount, amountPaid, amountRefunded, note, gatewayId, expiresAt, splits, tags } = order;
  return (
    <Facts
      facts={[
        ['State', <StateWithReason key="state" of={order} />],
        ['Amount', <Money key="amount" of={amount} fw={600} />],
        ['Paid', <Money key="paid" of={amountPaid} />],
        ['Refunded', <Money key="refunded" of={amountRefunded} />],
        ['Note', note],
        ['Order ID', inMono(order.orderId)],
        ['Gateway’s ID', gatewayId && inMono(gatewayId)],
        ['Vendors’ shares', splits.length === 0 ? null : <Shares splits={splits} />],
        ...tags.map(({ name, value }) => [name, inMono(value)] as const),
        ['Open until', expiresAt && <When at={expiresAt} />],
        ['Made', <When key="made" at={order.createdAt} />],
        ['Last change', <When key="change" at={order.updatedAt} isRelative />],
      ]}
    />
  );
}

function inMono(text: string) {
  return <span className="mono">{text}</span>;
}

function Shares({ splits }: Pick<Order, 'splits'>) {
  return splits.map(({ vendorId, amount, percentage }) => (
    <div key={`${vendorId} ${percentage ?? amount?.amount}`}>
      {inMono(vendorId)}: {amount === null ? `${percentage} %` : <Money of={amount} />}
    </div>
  ));
}
