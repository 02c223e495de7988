import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const IDENTITY = graphql(`
  query PartnerIdentity {
    affiliateProfile {
      kycStatus kycSubmittedAt kycApprovedAt rejectionReason
      entityType fullName panName panMasked gstNumber
      bankAccountHolderName bankAccountMasked bankIfsc
    }
  }
`);

export type Profile = NonNullable<ResultOf<typeof IDENTITY>['affiliateProfile']>;
export type EntityType = NonNullable<Profile['entityType']>;

export const SUBMIT = graphql(`
  mutation PartnerIdentitySubmit($input: KycSubmitInput!) {
    kycSubmit(input: $input) {
      affiliateProfile { kycStatus kycSubmittedAt }
      userErrors { message field }
    }
  }
`);
