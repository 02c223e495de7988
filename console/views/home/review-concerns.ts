import { graphql, type ResultOf } from '../../graph/graphql.ts';
import type { Concern } from './concern.ts';

/** The queues of platform admins. */
export const REVIEWS = graphql(`
  query HomeReviews {
    kycSubmissions(first: 20, status: KYC_PENDING) { nodes { id } pageInfo { hasNextPage } }
    platformPayouts(first: 20, status: REQUESTED) { nodes { id } pageInfo { hasNextPage } }
    platformDeals(first: 20, status: PROOF_SUBMITTED) { nodes { id } pageInfo { hasNextPage } }
    templateReviews(first: 20) { submissionId }
  }
`);

type Queue = {
  readonly nodes: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean };
};

export function reviewConcerns(data: ResultOf<typeof REVIEWS> | undefined): readonly Concern[] {
  if (data === undefined) return [];
  const { kycSubmissions, platformPayouts, platformDeals, templateReviews } = data;
  const emails = { nodes: templateReviews, pageInfo: { hasNextPage: false } };
  return [
    ...waiting(kycSubmissions, 'Identities to review', '/partner/reviews/identities'),
    ...waiting(platformPayouts, 'Payouts to send', '/partner/reviews/payouts'),
    ...waiting(platformDeals, 'Deals to decide', '/partner/reviews/deals'),
    ...waiting(emails, 'Emails to review', '/templates/reviews'),
  ];
}

function waiting({ nodes, pageInfo }: Queue, what: string, href: string): readonly Concern[] {
  if (nodes.length === 0) return [];
  return [{ text: `${what}: ${nodes.length}${pageInfo.hasNextPage ? ' or more' : ''}`, href }];
}
