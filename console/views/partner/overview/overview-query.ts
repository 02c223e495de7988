import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const OVERVIEW = graphql(`
  query PartnerOverview {
    referralProgram {
      code partnerStatus referralsCount paidReferralsCount activeReferralsCount
      upgradeThreshold isUpgradeEligible
      terms { creditRateBps commissionRateBps commissionMonths holdDays commissionAgeDays }
    }
    affiliateProfile { kycStatus kycSubmittedAt rejectionReason }
    wallet {
      creditsBalance { amount currencyCode }
      creditsPending { amount currencyCode }
      creditsEarned { amount currencyCode }
      creditsRedeemed { amount currencyCode }
      creditsConverted { amount currencyCode }
      cashBalance { amount currencyCode }
      cashEarned { amount currencyCode }
      cashInPayout { amount currencyCode }
      cashWithdrawn { amount currencyCode }
      debt { amount currencyCode }
      pendingNextReleaseDate
    }
  }
`);

export type Overview = ResultOf<typeof OVERVIEW>;

export const REFERRALS = graphql(`
  query PartnerReferrals($state: ReferralState, $after: String) {
    referrals(first: 20, state: $state, after: $after) {
      nodes { id state earned { amount currencyCode } firstPaidAt createdAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Referral = ResultOf<typeof REFERRALS>['referrals']['nodes'][number];
export type ReferralState = Referral['state'];
