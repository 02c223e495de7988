import { defineEntity, p } from '@mikro-orm/core';

export const TaxCertificateLineSchema = defineEntity({
  name: 'TaxCertificateLine',
  tableName: 'tax_certificate_lines',
  properties: {
    payoutId: p.uuid().primary(),
    certificateId: p.uuid(),
    organizationId: p.uuid(),
    paidOn: p.date(),
    bankReference: p.text(),
    grossMinor: p.bigint(),
    taxRateBps: p.integer(),
    taxMinor: p.bigint(),
    netMinor: p.bigint(),
  },
});

/** One payout of a certificate. */
export class TaxCertificateLine extends TaxCertificateLineSchema.class {}
TaxCertificateLineSchema.setClass(TaxCertificateLine);
