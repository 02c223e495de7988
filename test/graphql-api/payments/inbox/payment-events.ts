// The gateway's events about one payment: its attempts, its refund and its dispute.

import { gatewayEvent, type Json } from './scene.ts';

export type Paid = { readonly paymentId: string; readonly cfId: string | null };

export function paid({ paymentId, cfId }: Paid, status = 'SUCCESS', more: Json = {}): Json {
  return gatewayEvent(`PAYMENT_${status}_WEBHOOK`, {
    order: { order_id: `CFPay_${paymentId}`, order_tags: { cf_link_id: cfId } },
    payment: {
      cf_payment_id: paymentId,
      payment_status: status,
      payment_amount: 1000,
      payment_currency: 'INR',
      ...more,
    },
  });
}

export function refunded({ paymentId }: Paid, amount: number, status = 'SUCCESS'): Json {
  return gatewayEvent('REFUND_STATUS_WEBHOOK', {
    refund: {
      cf_refund_id: `cf${paymentId}`,
      refund_id: `r${paymentId}`,
      cf_payment_id: paymentId,
      order_id: `CFPay_${paymentId}`,
      refund_amount: amount,
      refund_status: status,
    },
  });
}

export function disputed({ paymentId }: Paid, word: string, at: string): Json {
  return gatewayEvent(`DISPUTE_${word === 'CREATED' ? 'CREATED' : 'CLOSED'}`, {
    dispute: {
      dispute_id: `d${paymentId}`,
      dispute_type: 'CHARGEBACK',
      dispute_status: `CHARGEBACK_${word}`,
      dispute_amount: 1000,
      updated_at: at,
    },
    order_details: { cf_payment_id: paymentId, order_id: `CFPay_${paymentId}` },
  });
}
