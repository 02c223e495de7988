import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const DASHBOARD = graphql(`
  query PartnerDealDashboard {
    agencyDashboard {
      dealCounts { registered proofSubmitted won lost expired withdrawn }
      estimatedValue { amount currencyCode }
      actualValue { amount currencyCode }
      winRate
    }
  }
`);

export type Dashboard = NonNullable<ResultOf<typeof DASHBOARD>['agencyDashboard']>;

export const DEALS = graphql(`
  query PartnerDeals($status: DealStatus!, $after: String) {
    agencyDeals(first: 20, status: $status, after: $after) {
      nodes {
        id status statusReason prospectCompanyName prospectDomain proofDueAt lockedUntil closedAt
        estimatedDealValue { amount currencyCode }
        actualDealValue { amount currencyCode }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Deal = ResultOf<typeof DEALS>['agencyDeals']['nodes'][number];
export type DealStatus = Deal['status'];

export const DEAL = graphql(`
  query PartnerDeal($id: ID!) {
    node(id: $id) {
      __typename
      ... on AgencyDeal {
        id status statusReason prospectCompanyName prospectDomain prospectContactEmail notes
        proofDueAt lockedUntil createdAt closedAt
        estimatedDealValue { amount currencyCode }
        actualDealValue { amount currencyCode }
        proofs { proofType proofDocumentUrl notes submittedAt }
      }
    }
  }
`);

export type DealDetail = Extract<
  NonNullable<ResultOf<typeof DEAL>['node']>,
  { __typename: 'AgencyDeal' }
>;

/** An empty list can have items after a change. */
export const DEALS_CONTEXT = { additionalTypenames: ['AgencyDeal'] };
