import { isMore } from '../../../pieces/decimal.ts';
import type { ListedPayment } from './payments-query.ts';

type Refundable = Pick<
  ListedPayment,
  'status' | 'orderId' | 'subscriptionId' | 'amount' | 'amountRefunded' | 'amountRefundable'
>;

/** Whether a part of it is neither refunded nor left to refund. */
export function isRefundPending(payment: Refundable): boolean {
  const { status, orderId, subscriptionId, amount, amountRefunded, amountRefundable } = payment;
  // Of any other payment, nothing can be refunded.
  return (
    status === 'SUCCESS' &&
    (orderId ?? subscriptionId) !== null &&
    isMore(amount.amount, amountRefunded.amount, amountRefundable.amount)
  );
}
