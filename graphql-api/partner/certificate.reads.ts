import type { Context } from '../platform/context.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { reject } from '../platform/rejected.ts';
import { TaxCertificate } from './certificate.entity.ts';
import { TaxCertificateLine } from './certificate-line.entity.ts';

export async function taxCertificatesPage(
  context: Context,
  page: PageRequest,
): Promise<Page<TaxCertificate>> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  return readPage(await context.read(), TaxCertificate, { organizationId }, page);
}

export async function taxCertificatesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly TaxCertificate[]> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const em = await context.read();
  return em.find(TaxCertificate, { id: { $in: [...ids] }, organizationId });
}

export type TaxCertificateLines = {
  readonly id: string;
  readonly lines: readonly TaxCertificateLine[];
};

/** The lines of each certificate, in order of payment. */
export async function linesByTaxCertificates(
  context: Context,
  ids: readonly string[],
): Promise<readonly TaxCertificateLines[]> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const em = await context.read();
  const all = await em.find(
    TaxCertificateLine,
    { certificateId: { $in: [...ids] }, organizationId },
    { orderBy: { paidOn: 'asc', payoutId: 'asc' } },
  );
  return ids.map(id => ({ id, lines: all.filter(line => line.certificateId === id) }));
}
