import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const TaxCertificateSchema = defineEntity({
  name: 'TaxCertificate',
  tableName: 'tax_certificates',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    financialYear: p.integer(),
    quarter: p.integer(),
    startsOn: p.date(),
    endsOn: p.date(),
    form: p.text(),
    deductorName: p.text().nullable(),
    deductorTan: p.text().nullable(),
    deducteeName: p.text(),
    panMasked: p.text().nullable(),
    currency: p.text(),
    grossMinor: p.bigint(),
    taxMinor: p.bigint(),
    netMinor: p.bigint(),
    createdAt: instant(),
  },
});

/** The tax deducted from an organization’s payouts in one quarter. It never changes. */
export class TaxCertificate extends TaxCertificateSchema.class {}
TaxCertificateSchema.setClass(TaxCertificate);
