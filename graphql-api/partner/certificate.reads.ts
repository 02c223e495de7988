import type { Context } from '../platform/context.ts';
import { ownReads } from '../platform/database/entity-reads.ts';
import { reject } from '../platform/rejected.ts';
import { TaxCertificate, TaxCertificateLine } from './certificate.entity.ts';

export const taxCertificates = ownReads(TaxCertificate);

/** The lines of each certificate, in order of payment. */
export async function linesByTaxCertificates(context: Context, ids: readonly string[]) {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const em = await context.read();
  const all = await em.find(
    TaxCertificateLine,
    { certificateId: { $in: [...ids] }, organizationId },
    { orderBy: { paidOn: 'asc', payoutId: 'asc' } },
  );
  return ids.map(id => ({ id, lines: all.filter(line => line.certificateId === id) }));
}
