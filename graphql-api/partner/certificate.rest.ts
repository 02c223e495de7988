import { createRoute, z } from '@hono/zod-openapi';
import { numberOf } from '../platform/money.ts';
import { notFound } from '../platform/rejected.ts';
import { allow, errors, type RestApp } from '../platform/rest/rest-app.ts';
import { listRoute } from '../platform/rest/routes.ts';
import {
  type TaxCertificateResource,
  taxCertificateDownloadPath,
  taxCertificateResource,
} from './certificate.contract.ts';
import type { TaxCertificate } from './certificate.entity.ts';
import { certificatePdf } from './certificate.pdf.ts';
import { linesByTaxCertificates, taxCertificates } from './certificate.reads.ts';
import { financialYearName } from './indian-quarter.ts';

const TAG = 'Affiliates';

export function taxCertificateRoutes(app: RestApp): void {
  listRoute(app, {
    path: '/api/v1/affiliates/tds-certificates',
    tag: TAG,
    operationId: 'listTaxCertificates',
    summary: 'List the tax statements, newest first',
    description:
      'Returns one statement for each quarter of the Indian financial year, with the tax deducted from payouts in that quarter.',
    item: taxCertificateResource,
    items: 'A page of statements.',
    page: taxCertificates.page,
    show: certificateAnswer,
  });

  const pdf = z.string().meta({ format: 'binary', example: '%PDF-1.3' });
  const download = createRoute({
    method: 'get',
    path: '/api/v1/affiliates/tds-certificates/{certificate_id}/download',
    tags: [TAG],
    operationId: 'downloadTaxCertificate',
    summary: 'Download a tax statement as a PDF',
    description: 'The PDF has one line for each payout in the quarter.',
    middleware: allow('member', 10),
    request: {
      params: z.object({
        certificate_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
      }),
    },
    responses: {
      200: { description: 'The tax statement.', content: { 'application/pdf': { schema: pdf } } },
      ...errors(400, 404),
    },
  });
  app.openapi(download, async c => {
    const { context } = c.var;
    const { certificate_id: id } = c.req.valid('param');
    const [certificate] = await taxCertificates.byIds(context, [id]);
    if (certificate === undefined) return notFound('certificate');
    const [payouts] = await linesByTaxCertificates(context, [id]);
    const { financialYear, quarter } = certificate;
    const name = `tax-${financialYearName({ financialYear })}-q${quarter}.pdf`;
    const bytes = await certificatePdf(certificate, payouts!.lines);
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  });
}

function certificateAnswer(certificate: TaxCertificate): TaxCertificateResource {
  const { currency: currencyCode } = certificate;
  const amount = (amountMinor: bigint) => numberOf({ amountMinor, currencyCode });
  return {
    id: certificate.id,
    form: certificate.form,
    financial_year: financialYearName(certificate),
    quarter: certificate.quarter,
    period_start: certificate.startsOn,
    period_end: certificate.endsOn,
    deductee_name: certificate.deducteeName,
    pan_masked: certificate.panMasked ?? null,
    currency: currencyCode,
    gross_amount: amount(certificate.grossMinor),
    tax_amount: amount(certificate.taxMinor),
    net_amount: amount(certificate.netMinor),
    download_path: taxCertificateDownloadPath(certificate.id),
    issued_at: certificate.createdAt.toISOString(),
  };
}
