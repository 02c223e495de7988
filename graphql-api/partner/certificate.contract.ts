import { z } from 'zod';

const amount = z
  .number()
  .meta({ description: 'An amount with at most 2 decimal places.', example: 2000 });

export const taxCertificateResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    form: z.string().meta({
      description: 'The official tax form that the statement relates to.',
      example: 'Form 131',
    }),
    financial_year: z.string().meta({ example: '2026-27' }),
    quarter: z.int().meta({
      description: 'The quarter of the financial year, 1 to 4. Quarter 1 is April to June.',
      example: 1,
    }),
    period_start: z.iso.date().meta({ example: '2026-04-01' }),
    period_end: z.iso.date().meta({ example: '2026-06-30' }),
    deductee_name: z.string().meta({ example: 'ASHA RAO' }),
    pan_masked: z.string().nullable().meta({ example: 'AA******4A' }),
    currency: z.string().meta({ example: 'INR' }),
    gross_amount: amount.meta({ description: 'The total paid out, before tax.', example: 100000 }),
    tax_amount: amount.meta({ description: 'The total tax deducted.', example: 2000 }),
    net_amount: amount.meta({ description: 'The total paid out, after tax.', example: 98000 }),
    download_path: z.string().meta({
      description: 'The path for downloading the statement as a PDF.',
      example: '/api/v1/affiliates/tds-certificates/019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10/download',
    }),
    issued_at: z.iso.datetime().meta({ example: '2026-07-01T01:30:00.000Z' }),
  })
  .meta({ id: 'TaxCertificate' });
export type TaxCertificateResource = z.output<typeof taxCertificateResource>;

export function taxCertificateDownloadPath(id: string): string {
  return `/api/v1/affiliates/tds-certificates/${id}/download`;
}
