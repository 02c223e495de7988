import { Anchor, Button, Stack } from '@mantine/core';
import { IconReceiptRefund } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { isZero } from '../../../pieces/decimal.ts';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount, inMoney } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { useLastData } from '../../../pieces/use-last-data.ts';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { DisputesOfPayment } from '../disputes/DisputesOfPayment.tsx';
import { inMethod } from '../in-method.ts';
import { REFUND_COLUMNS, REFUND_LIST } from '../lists/refunds.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { isRefundPending } from './is-refund-pending.ts';
import { forgetUnlessReturning } from './opened-row.ts';
import { PaymentState } from './PaymentState.tsx';
import { PaymentTimeline } from './PaymentTimeline.tsx';
import { KINDS, PAYMENT, type Payment } from './payments-query.ts';
import { RefundForm } from './RefundForm.tsx';

/** A refund and a dispute change the payment. */
const OF_PAYMENT = { additionalTypenames: ['GatewayRefund', 'GatewayDispute'] };
/** The gateway confirms most refunds within seconds. */
const PENDING_MS = 3_000;
const BACK = { href: PAYMENTS.payments, label: 'Payments' };

export default function PaymentPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: PAYMENT, variables: { id }, context: OF_PAYMENT });
  const data = useLastData(asked[0]);
  const payment = data?.gatewayPayment ?? undefined;
  useRepeat(asked[1], payment && isRefundPending(payment) ? PENDING_MS : undefined);
  const [isRefunding, setIsRefunding] = useState(false);
  const isOwner = useMay('OWNER');
  useEffect(forgetUnlessReturning, []);
  const close = () => setIsRefunding(false);
  return (
    <Page
      title={payment ? inMoney(payment.amount.amount, payment.amount.currencyCode) : 'Payment'}
      back={BACK}
      actions={
        isOwner &&
        payment !== undefined &&
        !isZero(payment.amountRefundable.amount) && (
          <Button
            variant="default"
            leftSection={<IconReceiptRefund size={17} />}
            onClick={() => setIsRefunding(true)}
          >
            Refund …
          </Button>
        )
      }
    >
      <Asked asked={[{ ...asked[0], data }, asked[1]]} label="Reading the payment">
        {() => (payment === undefined ? <NoPayment /> : <Opened payment={payment} />)}
      </Asked>
      <Dialog opened={isRefunding} onClose={close} title="Refund">
        {payment && <RefundForm payment={payment} onDone={close} />}
      </Dialog>
    </Page>
  );
}

function NoPayment() {
  return (
    <Card>
      <Empty title="This payment doesn’t exist">
        It may be in another workspace, or the payment gateway has not reported it yet.
      </Empty>
    </Card>
  );
}

function Opened({ payment }: { readonly payment: Payment }) {
  const { cfPaymentId, kind, method, failure, retryAttempts, paidAt } = payment;
  const { orderId, linkId, subscriptionId, order, link, subscription } = payment;
  const { amountRefunded, amountRefundable } = payment;
  /** The lists are read again once a refund has changed them. */
  const moneyBack = `${amountRefunded.amount} ${amountRefundable.amount}`;
  return (
    <Stack gap="lg">
      <Card>
        <Facts
          facts={[
            ['State', <PaymentState key="state" payment={payment} />],
            ['Why', failure],
            ...refundFacts(payment),
            ['Kind', KINDS[kind]],
            ['Method', inMethod(method)],
            ['Payer', 'Not shown here. See the payment in the payment gateway’s dashboard.'],
            ['Paid', paidAt === null ? null : <When at={paidAt} />],
            ['Tried again', retryAttempts === 0 ? null : `${inCount(retryAttempts)} times`],
            ['Payment ID', <Id key="id" of={cfPaymentId} />],
            [
              'Order',
              orderId && (
                <Id
                  of={orderId}
                  href={order ? PAYMENTS.order(order.id) : PAYMENTS.search(orderId)}
                />
              ),
            ],
            ['Link', linkId && <Id of={linkId} href={link && PAYMENTS.link(link.id)} />],
            ['Purpose', link?.purpose],
            ['Note', order?.note],
            [
              'Subscription',
              subscriptionId && (
                <Id
                  of={subscriptionId}
                  href={subscription && PAYMENTS.subscription(subscription.id)}
                />
              ),
            ],
            ['Known since', <When key="since" at={payment.createdAt} />],
          ]}
        />
      </Card>
      <DisputesOfPayment paymentId={cfPaymentId} />
      <PaymentTimeline key={`timeline ${moneyBack}`} paymentId={cfPaymentId} />
      <Card title="Refunds" isFlush>
        <PagedTable
          key={moneyBack}
          label="Refunds"
          document={REFUND_LIST}
          variables={{ paymentId: cfPaymentId }}
          connectionOf={data => data.gatewayRefunds}
          typename="GatewayRefund"
          keyOf={refund => refund.id}
          columns={REFUND_COLUMNS.filter(({ title }) => title !== 'Payment')}
          empty={<Empty title="No refunds yet" icon={IconReceiptRefund} />}
        />
      </Card>
    </Stack>
  );
}

function refundFacts(payment: Payment) {
  const { amountRefunded, amountRefundable } = payment;
  if (isZero(amountRefunded.amount) && !isRefundPending(payment)) return [];
  return [
    ['Refunded', <Money key="refunded" of={amountRefunded} />],
    ['Left to refund', <Money key="left" of={amountRefundable} />],
  ] as const;
}

type IdProps = { readonly of: string; readonly href?: string | null };

function Id({ of, href = null }: IdProps) {
  if (href === null) return <span className="mono">{of}</span>;
  return (
    <Anchor component={Link} href={href} underline="hover" className="mono">
      {of}
    </Anchor>
  );
}
