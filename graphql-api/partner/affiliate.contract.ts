import { z } from 'zod';

export const affiliateUpgradeContract = z.strictObject({});

const time = z.iso.datetime().nullable();

/** The response of `GET /api/v1/affiliates/kyc/profile`; other responses include its fields. */
const kycProfile = {
  kyc_status: z.enum(['KYC_PENDING', 'KYC_APPROVED', 'KYC_REJECTED']).meta({
    example: 'KYC_APPROVED',
  }),
  pan_masked: z.string().nullable().meta({
    description: 'The tax identifier (PAN), masked; null if none was given.',
    example: 'AA******4A',
  }),
  gst_number: z.string().nullable().meta({ example: '27AAAPA1234A1ZT' }),
  bank_account_masked: z.string().nullable().meta({
    description: 'The bank account number, with all but the last four digits masked.',
    example: '********6789',
  }),
  bank_ifsc: z.string().nullable().meta({ example: 'HDFC0001234' }),
  kyc_submitted_at: time.meta({ example: '2026-11-21T09:30:00.000Z' }),
  kyc_approved_at: time.meta({ example: '2026-11-22T09:30:00.000Z' }),
  rejection_reason: z.string().nullable().meta({ example: null }),
};
export const kycProfileResource = z.object(kycProfile).meta({ id: 'KycProfile' });
export type KycProfileResource = z.output<typeof kycProfileResource>;

export const affiliateResult = z
  .object({
    status: z.literal('SUCCESS'),
    partner_status: z.enum(['USER', 'AFFILIATE', 'AGENCY']).meta({ example: 'AFFILIATE' }),
    ...kycProfile,
  })
  .meta({ id: 'AffiliateResult' });
export type AffiliateResult = z.output<typeof affiliateResult>;

export const kycReviewResult = z
  .object({
    ...affiliateResult.shape,
    organization_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
  })
  .meta({ id: 'KycReviewResult' });
