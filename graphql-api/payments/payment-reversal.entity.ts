import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

const PaymentReversalSchema = defineEntity({
  name: 'PaymentReversal',
  tableName: 'payment_reversals',
  properties: {
    kind: p.text().$type<'REFUND' | 'CHARGEBACK'>().primary(),
    id: p.text().primary(),
    paymentId: p.text(),
    amountMinor: p.bigint().nullable(),
    wonAt: instant().nullable(),
    createdAt: createdAt(),
  },
});

/** A refund or a dispute of a payment, by the gateway’s id. */
export class PaymentReversal extends PaymentReversalSchema.class {}
PaymentReversalSchema.setClass(PaymentReversal);
