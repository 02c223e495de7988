import { defineEntity, p } from '@mikro-orm/core';

/** One payout of a certificate. */
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
