import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const PAYABLE = graphql(`
  query PartnerPayable {
    payoutPreview { payable { amount currencyCode } nextEligibleAt taxRateBps refusal }
    referralProgram { terms { payoutMinimum { amount currencyCode } commissionAgeDays } }
    wallet {
      cashBalance { amount currencyCode }
      cashInPayout { amount currencyCode }
      cashWithdrawn { amount currencyCode }
    }
    affiliateProfile { kycStatus kycSubmittedAt rejectionReason bankAccountMasked bankIfsc }
  }
`);

export type Payable = ResultOf<typeof PAYABLE>;

export const PREVIEW = graphql(`
  query PartnerPayoutPreview($amount: Decimal!) {
    payoutPreview(requestedAmount: $amount) {
      payable { amount currencyCode }
      taxRateBps
      tax { amount currencyCode }
      net { amount currencyCode }
      nextEligibleAt
      refusal
    }
  }
`);

export type Preview = ResultOf<typeof PREVIEW>['payoutPreview'];

export const PAYOUTS = graphql(`
  query PartnerPayouts($status: PayoutStatus, $after: String) {
    payouts(first: 20, status: $status, after: $after) {
      nodes {
        id status taxRateBps bankReference reason createdAt processingAt paidAt closedAt
        gross { amount currencyCode }
        tax { amount currencyCode }
        net { amount currencyCode }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Payout = ResultOf<typeof PAYOUTS>['payouts']['nodes'][number];

export const REQUEST = graphql(`
  mutation PartnerPayoutRequest($input: PayoutRequestInput!, $key: String!) {
    payoutRequest(input: $input) @idempotent(key: $key) {
      payout { id status net { amount currencyCode } }
      userErrors { message field }
    }
  }
`);
