import { Group } from '@mantine/core';
import { isMore, isZero } from '../../../pieces/decimal.ts';
import { State } from '../../../pieces/State.tsx';
import { GatewayState } from '../GatewayState.tsx';
import { isRefundPending } from './is-refund-pending.ts';
import type { ListedPayment } from './payments-query.ts';

type PaymentStateProps = {
  readonly payment: Parameters<typeof isRefundPending>[0] & Pick<ListedPayment, 'isDisputed'>;
};

/** The gateway's state of the payment, which stays the same after refunds and disputes, and these. */
export function PaymentState({ payment }: PaymentStateProps) {
  const { status, amount, amountRefunded, isDisputed } = payment;
  const refunded = isMore(amount.amount, amountRefunded.amount) ? 'Partly refunded' : 'Refunded';
  return (
    <Group gap={6}>
      <GatewayState name={status} />
      {!isZero(amountRefunded.amount) && <State name="REFUNDED" label={refunded} tone="info" />}
      {isRefundPending(payment) && (
        <State name="REFUND_PENDING" label="Refund pending" tone="waiting" />
      )}
      {isDisputed && <State name="DISPUTED" tone="bad" />}
    </Group>
  );
}
