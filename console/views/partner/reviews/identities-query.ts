import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const IDENTITIES = graphql(`
  query PartnerReviewIdentities($status: KycSubmissionStatus, $after: String) {
    kycSubmissions(first: 30, status: $status, after: $after) {
      nodes {
        id status organizationName entityType fullName panName panMasked hasGst
        bankAccountMasked bankIfsc bankAccountHolderName
        createdAt reviewedAt reviewedBy rejectionReason
        alerts { kind organizationId organizationName }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Submission = ResultOf<typeof IDENTITIES>['kycSubmissions']['nodes'][number];
