import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { allow, errors, json, type RestApp } from '../platform/rest/rest-app.ts';
import { changeRoute, showRoute } from '../platform/rest/routes.ts';
import { runPlatformAction } from '../platform/run-action.ts';
import {
  type AffiliateResult,
  affiliateResult,
  type KycProfileResource,
  kycProfileResource,
  kycReviewResult,
} from './affiliate.contract.ts';
import { type AffiliateView, affiliateProfile, affiliateProfileOf } from './affiliate.reads.ts';
import { affiliateUpgrade } from './affiliate.upgrade.ts';
import { kycSubmitBody } from './kyc.contract.ts';
import { kycApproveOf } from './kyc.review.ts';
import { kycSubmit } from './kyc.submit.ts';

const TAG = 'Affiliates';

export function affiliateRoutes(app: RestApp): void {
  changeRoute(app, {
    path: '/api/v1/affiliates/upgrade',
    tag: TAG,
    operationId: 'upgradeToAffiliate',
    summary: 'Upgrade to an affiliate',
    description:
      'Fails with `UPGRADE_NOT_ELIGIBLE` (403) if the organization does not have enough active referrals; agencies do not need any. Returns the existing profile if the organization is already an affiliate. Owners only.',
    result: ['The affiliate profile.', affiliateResult],
    operation: 'affiliateUpgrade',
    action: affiliateUpgrade,
    input: () => ({}),
    show: (_, context) => ownResult(context),
  });
  changeRoute(app, {
    path: '/api/v1/affiliates/kyc/submit',
    tag: TAG,
    operationId: 'submitKyc',
    summary: 'Submit KYC details',
    description:
      'The submission replaces all previous details, and the KYC is then pending review. The PAN, the account number and the GSTIN are stored in encrypted form. The PAN and the account number are returned only in masked form. Owners only.',
    body: kycSubmitBody,
    result: ['The affiliate profile, whose KYC is now pending review.', affiliateResult],
    operation: 'kycSubmit',
    action: kycSubmit,
    input: kyc => ({
      fullName: kyc.full_name,
      panNumber: kyc.pan_number,
      panName: kyc.pan_name,
      gstNumber: kyc.gst_number,
      bankAccountNumber: kyc.bank_account_number,
      bankIfsc: kyc.bank_ifsc,
      bankAccountHolderName: kyc.bank_account_holder_name,
      entityType: kyc.entity_type,
    }),
    show: (_, context) => ownResult(context),
  });
  showRoute(app, {
    path: '/api/v1/affiliates/kyc/profile',
    tag: TAG,
    operationId: 'getKycProfile',
    summary: 'Retrieve the KYC profile',
    description:
      'Returns the review state, the reason for a rejection, and the details with secret values masked.',
    result: ['The KYC profile.', kycProfileResource],
    statuses: [409],
    show: async (_, context) => profileAnswer(await ownProfile(context)),
  });
  approveRoute(app);
}

function approveRoute(app: RestApp): void {
  const approve = createRoute({
    method: 'post',
    path: '/api/v1/admin/referrals/kyc/{org_id}/approve',
    tags: ['Platform'],
    operationId: 'approveKyc',
    summary: 'Approve an organization’s KYC',
    description:
      'Approves the organization’s latest submission. The organization can then request payouts. Platform admins only.',
    middleware: allow('platformAdmin', 10),
    request: {
      params: z.object({
        org_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
      }),
    },
    responses: {
      200: json('The affiliate profile with the approved KYC.', kycReviewResult),
      ...errors(400, 404, 409),
    },
  });
  app.openapi(approve, async c => {
    const { context } = c.var;
    const { org_id: organizationId } = c.req.valid('param');
    await runPlatformAction(context, kycApproveOf, { organizationId });
    const approved = await affiliateProfileOf(context, organizationId);
    return c.json({ ...(await resultOf(approved!)), organization_id: organizationId }, 200);
  });
}

async function ownProfile(context: Context): Promise<AffiliateView> {
  return (await affiliateProfile(context)) ?? reject('AFFILIATE_PROFILE_REQUIRED');
}

async function ownResult(context: Context): Promise<AffiliateResult> {
  return resultOf(await ownProfile(context));
}

async function resultOf(view: AffiliateView): Promise<AffiliateResult> {
  return { status: 'SUCCESS', partner_status: view.partnerStatus, ...(await profileAnswer(view)) };
}

async function profileAnswer(view: AffiliateView): Promise<KycProfileResource> {
  return {
    kyc_status: view.kycStatus,
    pan_masked: view.panMasked ?? null,
    gst_number: await view.gstNumber(),
    bank_account_masked: view.bankAccountMasked ?? null,
    bank_ifsc: view.bankIfsc ?? null,
    kyc_submitted_at: view.kycSubmittedAt?.toISOString() ?? null,
    kyc_approved_at: view.kycApprovedAt?.toISOString() ?? null,
    rejection_reason: view.rejectionReason ?? null,
  };
}
