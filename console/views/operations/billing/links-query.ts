import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const BILLING_LINKS = graphql(`
  query BillingLinks($organizationId: ID, $after: String) {
    billingLinks(first: 25, organizationId: $organizationId, after: $after) {
      nodes {
        id purpose status errorMessage url expiresAt createdAt payerOrganizationId
        amount { amount currencyCode }
        amountPaid { amount currencyCode }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type BillingLink = ResultOf<typeof BILLING_LINKS>['billingLinks']['nodes'][number];

export const CREATE = graphql(`
  mutation BillingLinkCreate($input: BillingLinkCreateInput!, $key: String!) {
    billingLinkCreate(input: $input) @idempotent(key: $key) {
      gatewayLink { id url }
      userErrors { code message field }
    }
  }
`);
