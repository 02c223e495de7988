/** The errors of the partner program. */
export const PARTNER_PROBLEMS = {
  REFERRAL_CODE_UNKNOWN: { status: 422, title: 'No organization has this referral code.' },
  SELF_REFERRAL: {
    status: 422,
    title: 'An organization cannot refer itself or the organization that referred it.',
  },
  ATTRIBUTION_CLOSED: {
    status: 409,
    title: 'An organization that has already paid cannot be attributed to a referrer.',
  },
  CREDIT_STATUS: { status: 409, title: 'Only held credits can be rescheduled.' },
  REGION_FIXED: {
    status: 409,
    title: 'The region of an organization that has a wallet cannot be changed.',
  },
  RECORDED_BY_GATEWAY: {
    status: 403,
    title: 'In production, payments, refunds and disputes are recorded from gateway events only.',
  },
  UPGRADE_NOT_ELIGIBLE: {
    status: 403,
    title: 'There are not enough active referrals to become an affiliate.',
  },
  AFFILIATE_PROFILE_REQUIRED: {
    status: 409,
    title: 'The organization is not an affiliate. Upgrade to an affiliate first.',
  },
  KYC_STATUS: {
    status: 409,
    title: 'The status of the KYC does not allow this action.',
  },
  NOT_AGENCY: { status: 403, title: 'The organization is not an agency.' },
  RESELLER_AGREEMENT_REQUIRED: {
    status: 403,
    title: 'Registering deals requires a signed reseller agreement.',
  },
  PROSPECT_NOT_ALLOWED: { status: 422, title: 'This domain cannot be registered as a prospect.' },
  DEAL_LOCKED: { status: 409, title: 'Another agency has registered this domain.' },
  DEAL_ALREADY_REGISTERED: {
    status: 409,
    title: 'Your agency has already registered this domain.',
  },
  TOO_MANY_DEALS: {
    status: 422,
    title: 'The agency has reached its maximum number of open deals. Close a deal first.',
  },
  DEAL_STATUS: {
    status: 409,
    title: 'The status of the deal does not allow this action.',
  },
  PROOF_DEADLINE_PASSED: { status: 409, title: 'The deadline for submitting a proof has passed.' },
  KYC_NOT_APPROVED: { status: 403, title: 'The KYC of the organization is not approved.' },
  PAYOUT_STATUS: {
    status: 409,
    title: 'The status of the payout does not allow this action.',
  },
  INVOICE_ALREADY_REGISTERED: {
    status: 409,
    title: 'An invoice with this ID is already registered with different values.',
  },
  PAYMENT_MISMATCH: {
    status: 422,
    title: 'This payment, refund or dispute is already recorded with different values.',
  },
  PASSTHROUGH_INVOICE: {
    status: 422,
    title: 'Credits cannot be redeemed on an invoice for passthrough channel costs.',
  },
  INVOICE_MISMATCH: {
    status: 422,
    title: 'The invoice is registered with a different total or currency.',
  },
  REDEMPTION_CAP_EXCEEDED: {
    status: 422,
    title: 'All redemptions on an invoice together cannot exceed half of its total.',
  },
  INSUFFICIENT_BALANCE: { status: 422, title: 'The amount exceeds the balance.' },
  BELOW_MIN_THRESHOLD: { status: 422, title: 'The amount is below the minimum payout.' },
  NET30_GUARDRAIL: {
    status: 422,
    title: 'The amount exceeds the cash that has reached the minimum age for a payout.',
  },
} as const;
