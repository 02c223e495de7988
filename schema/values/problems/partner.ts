/** Errors of the partner program. */
export const PARTNER_PROBLEMS = {
  REFERRAL_CODE_UNKNOWN: { status: 422, title: 'No organization has this referral code.' },
  SELF_REFERRAL: {
    status: 422,
    title: 'An organization cannot refer itself or the organization that referred it.',
  },
  ATTRIBUTION_CLOSED: {
    status: 409,
    title: 'An organization that has made a payment can no longer set its referrer.',
  },
  CREDIT_STATUS: { status: 409, title: 'Only a credit that is still held can be rescheduled.' },
  REGION_FIXED: {
    status: 409,
    title: 'The region of an organization that has a wallet cannot be changed.',
  },
  RECORDED_BY_GATEWAY: {
    status: 403,
    title:
      'In production, payments, refunds and disputes are recorded by the payment gateway only.',
  },
  UPGRADE_NOT_ELIGIBLE: {
    status: 403,
    title: 'The organization does not have enough active referrals to become an affiliate.',
  },
  AFFILIATE_PROFILE_REQUIRED: { status: 409, title: 'Upgrade to an affiliate first.' },
  KYC_STATUS: {
    status: 409,
    title: 'The status of the KYC does not allow this.',
  },
  NOT_AGENCY: { status: 403, title: 'Only agencies have access to deals.' },
  RESELLER_AGREEMENT_REQUIRED: {
    status: 403,
    title: 'Deals need a signed reseller agreement.',
  },
  PROSPECT_NOT_ALLOWED: { status: 422, title: 'This domain cannot be a prospect.' },
  DEAL_LOCKED: { status: 409, title: 'Another agency has registered this domain.' },
  DEAL_ALREADY_REGISTERED: { status: 409, title: 'You have already registered this domain.' },
  TOO_MANY_DEALS: {
    status: 422,
    title: 'The agency has reached its maximum number of open deals. Close some first.',
  },
  DEAL_STATUS: {
    status: 409,
    title: 'The status of the deal does not allow this.',
  },
  PROOF_DEADLINE_PASSED: { status: 409, title: 'The deadline to submit a proof has passed.' },
  KYC_NOT_APPROVED: { status: 403, title: 'Cash requires an approved KYC.' },
  PAYOUT_STATUS: {
    status: 409,
    title: 'The status of the payout does not allow this.',
  },
  INVOICE_ALREADY_REGISTERED: {
    status: 409,
    title: 'An invoice with this ID is already registered with different data.',
  },
  PAYMENT_MISMATCH: {
    status: 422,
    title: 'This payment, refund or dispute is already recorded with different data.',
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
    title: 'The total of all redemptions cannot exceed half of the invoice.',
  },
  INSUFFICIENT_BALANCE: { status: 422, title: 'The balance is less than the requested amount.' },
  BELOW_MIN_THRESHOLD: { status: 422, title: 'The amount is below the minimum payout.' },
  NET30_GUARDRAIL: {
    status: 422,
    title: 'Not enough of the cash balance is old enough to be paid out.',
  },
} as const;
