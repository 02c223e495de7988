import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

const InvoiceSchema = defineEntity({
  name: 'Invoice',
  tableName: 'invoices',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.text().primary(),
    kind: p.text().$type<'NORMAL' | 'PASSTHROUGH'>().nullable(),
    channel: p.text().$type<'SMS' | 'MESSAGING_APP' | 'RCS' | 'EMAIL'>().nullable(),
    totalMinor: p.bigint().nullable(),
    currency: p.text().nullable(),
    registeredAt: instant().nullable(),
    createdAt: createdAt(),
  },
});

/** An invoice of the platform to an organisation; without a kind, one that only reservations name. */
export class Invoice extends InvoiceSchema.class {}
InvoiceSchema.setClass(Invoice);
