import type { Context } from '../platform/context.ts';
import { ownReads } from '../platform/database/entity-reads.ts';
import { kysely } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import { TaxCertificate } from './certificate.entity.ts';

export const taxCertificates = ownReads(TaxCertificate);

/** The lines of each certificate, in order of payment. */
export async function linesByTaxCertificates(context: Context, ids: readonly string[]) {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const em = await context.read();
  const all = await kysely(em)
    .selectFrom('tax_certificate_lines')
    .selectAll()
    .where('certificateId', 'in', ids)
    .where('organizationId', '=', organizationId)
    .orderBy('paidOn')
    .orderBy('payoutId')
    .execute();
  return ids.map(id => ({ id, lines: all.filter(line => line.certificateId === id) }));
}
