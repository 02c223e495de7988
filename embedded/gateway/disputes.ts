import { Raw, type WritableObject } from '../../schema/values/exact-json.ts';
import type { Tools } from './calls.ts';
import { refuse } from './refusal.ts';
import { type Account, type Dispute, nextNumber } from './store.ts';
import { rupees } from './values.ts';
import { indianTime } from './webhooks.ts';

const TYPES = new Set(['DISPUTE', 'RETRIEVAL', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION']);
const RESPOND_WITHIN_MS = 3 * 24 * 3_600_000;

/** The payer's bank disputes a payment. */
export function openDispute(
  tools: Tools,
  account: Account,
  cfPaymentId: string,
  {
    type,
    amount,
    at,
  }: { readonly type: string; readonly amount: bigint | undefined; readonly at: Date },
): Dispute {
  if (!TYPES.has(type)) return refuse(400, 'dispute_type_invalid', 'dispute_type: is not known');
  for (const order of account.orders.values()) {
    const payment = order.payments.find(found => found.cfPaymentId === cfPaymentId);
    if (payment === undefined) continue;
    const dispute: Dispute = {
      disputeId: nextNumber(),
      type,
      order,
      payment,
      amount: amount ?? payment.amount,
      status: `${type}_CREATED`,
    };
    account.disputes.set(dispute.disputeId, dispute);
    emitDispute(tools, account, dispute, { event: 'DISPUTE_CREATED', at });
    return dispute;
  }
  return refuse(404, 'payment_not_found', 'payment is not found');
}

/**
 * Moves a dispute to `MERCHANT_WON`, `MERCHANT_LOST`, `MERCHANT_ACCEPTED` or an intermediate status
 * such as `UNDER_REVIEW`.
 */
export function moveDispute(
  tools: Tools,
  account: Account,
  dispute: Dispute,
  { to, at }: { readonly to: string; readonly at: Date },
): void {
  dispute.status = `${dispute.type}_${to}`;
  const event = to.startsWith('MERCHANT_') ? 'DISPUTE_CLOSED' : 'DISPUTE_UPDATED';
  emitDispute(tools, account, dispute, { event, at });
}

function emitDispute(
  { webhooks }: Tools,
  account: Account,
  { disputeId, type, order, payment, amount, status }: Dispute,
  { event, at }: { readonly event: string; readonly at: Date },
): void {
  const data: WritableObject = {
    dispute: {
      dispute_id: disputeId,
      dispute_type: type,
      reason_code: '1402',
      reason_description: 'Duplicate Processing',
      dispute_amount: rupees(amount),
      created_at: indianTime(at),
      updated_at: indianTime(at),
      respond_by: indianTime(new Date(at.getTime() + RESPOND_WITHIN_MS)),
      dispute_status: status,
      cf_dispute_remarks: `Dispute is ${status}`,
    },
    order_details: {
      order_id: order.orderId,
      order_amount: rupees(order.amount),
      order_currency: order.currency,
      cf_payment_id: new Raw(payment.cfPaymentId),
      payment_amount: rupees(payment.amount),
      payment_currency: order.currency,
    },
    customer_details: {
      customer_name: order.customer.name ?? null,
      customer_phone: order.customer.phone,
      customer_email: order.customer.email ?? null,
    },
  };
  webhooks.emit(account, { type: event, data });
}

/** Settles the paid amounts to the merchant's bank account. */
export function settle(
  { webhooks }: Tools,
  account: Account,
  { amount, status, at }: { readonly amount: bigint; readonly status: string; readonly at: Date },
): string {
  const settlementId = nextNumber();
  const data = {
    settlement: {
      settlement_id: new Raw(settlementId),
      amount_settled: rupees(amount),
      settlement_amount: rupees(amount),
      currency: 'INR',
      status,
      utr: settlementId.slice(-12),
      settled_on: status === 'SUCCESS' ? indianTime(at) : null,
    },
  };
  webhooks.emit(account, { type: `SETTLEMENT_${status}`, data });
  return settlementId;
}
