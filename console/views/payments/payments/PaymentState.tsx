import { Group } from '@mantine/core';
import { isZero } from '../../../pieces/decimal.ts';
import { State } from '../../../pieces/State.tsx';
import { GatewayState } from '../GatewayState.tsx';
import type { ListedPayment } from './payments-query.ts';

type PaymentStateProps = {
  readonly payment: Pick<ListedPayment, 'status' | 'amount' | 'amountRefunded' | 'isDisputed'>;
};

/** The gateway's state of the payment, which stays the same after refunds and disputes, and these. */
export function PaymentState({ payment }: PaymentStateProps) {
  const { status, amount, amountRefunded, isDisputed } = payment;
  const refunded = amountRefunded.amount === amount.amount ? 'Refunded' : 'Partly refunded';
  return (
    <Group gap={6}>
      <GatewayState name={status} />
      {!isZero(amountRefunded.amount) && <State name="REFUNDED" label={refunded} tone="info" />}
      {isDisputed && <State name="DISPUTED" tone="bad" />}
    </Group>
  );
}
