/** What the partner program refuses with. */
export const PARTNER_PROBLEMS = {
  REFERRAL_CODE_UNKNOWN: { status: 422, title: 'No organisation has this referral code.' },
  SELF_REFERRAL: {
    status: 422,
    title: 'An organisation can refer neither itself nor the one that referred it.',
  },
  ATTRIBUTION_CLOSED: {
    status: 409,
    title: 'An organisation that has paid before can no longer say who referred it.',
  },
  CREDIT_STATUS: { status: 409, title: 'Only a credit that is still held can be moved.' },
  REGION_FIXED: {
    status: 409,
    title: 'The region of an organisation that has a wallet stays as it is.',
  },
  RECORDED_BY_GATEWAY: {
    status: 403,
    title: 'In production, payments and what becomes of them come from the gateway.',
  },
  UPGRADE_NOT_ELIGIBLE: {
    status: 403,
    title: 'An affiliate needs more active referrals than there are.',
  },
  AFFILIATE_PROFILE_REQUIRED: { status: 409, title: 'Upgrade to an affiliate first.' },
  KYC_STATUS: {
    status: 409,
    title: 'The KYC is not in a status from which this can follow.',
  },
  NOT_AGENCY: { status: 403, title: 'Only agencies have deals.' },
  RESELLER_AGREEMENT_REQUIRED: {
    status: 403,
    title: 'Deals need a signed reseller agreement.',
  },
  PROSPECT_NOT_ALLOWED: { status: 422, title: 'This domain cannot be a prospect.' },
  DEAL_LOCKED: { status: 409, title: 'Another agency has registered this domain.' },
  DEAL_ALREADY_REGISTERED: { status: 409, title: 'You have registered this domain already.' },
  TOO_MANY_DEALS: {
    status: 422,
    title: 'The agency has as many open deals as it may; close some first.',
  },
  DEAL_STATUS: {
    status: 409,
    title: 'The deal is not in a status from which this can follow.',
  },
  PROOF_DEADLINE_PASSED: { status: 409, title: 'The time to submit a proof is over.' },
  KYC_NOT_APPROVED: { status: 403, title: 'Cash needs a KYC that is approved.' },
  PAYOUT_STATUS: {
    status: 409,
    title: 'The payout is not in a status from which this can follow.',
  },
  INVOICE_ALREADY_REGISTERED: {
    status: 409,
    title: 'An invoice with this id is registered already, and not as this one.',
  },
  PAYMENT_MISMATCH: {
    status: 422,
    title: 'This payment, refund or dispute was recorded before, and not as this one.',
  },
  PASSTHROUGH_INVOICE: {
    status: 422,
    title: 'Credits cannot be redeemed on an invoice that passes on a channel’s costs.',
  },
  INVOICE_MISMATCH: {
    status: 422,
    title: 'The invoice is registered with another total or currency.',
  },
  REDEMPTION_CAP_EXCEEDED: {
    status: 422,
    title: 'At most half of an invoice may be paid with credits, all redemptions together.',
  },
  INSUFFICIENT_BALANCE: { status: 422, title: 'The balance is less than that.' },
  BELOW_MIN_THRESHOLD: { status: 422, title: 'The amount is below the minimum of a payout.' },
  NET30_GUARDRAIL: {
    status: 422,
    title: 'Not enough of the cash is old enough to be paid out.',
  },
} as const;
