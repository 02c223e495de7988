import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

const PaymentFactSchema = defineEntity({
  name: 'PaymentFact',
  tableName: 'payment_facts',
  properties: {
    id: p.text().primary(),
    organizationId: p.uuid().nullable(),
    amountMinor: p.bigint().nullable(),
    currency: p.text().nullable(),
    clearedAt: instant().nullable(),
    outcome: p.text().nullable(),
    createdAt: createdAt(),
  },
});

/** A payment to the platform, by the gateway’s id; empty when only its reversal is known. */
export class PaymentFact extends PaymentFactSchema.class {}
PaymentFactSchema.setClass(PaymentFact);
