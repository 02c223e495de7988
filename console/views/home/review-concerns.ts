import { inCount } from '../../pieces/in-words.ts';
import { EMAILS_MAX, type Waiting } from '../../pieces/use-waiting.ts';
import type { Concern } from './concern.ts';

/** The queues of platform admins. */
export function reviewConcerns(data: Waiting | undefined): readonly Concern[] {
  const { partnerReviewQueues: queues, templateReviews: emails } = data ?? {};
  return [
    ...waiting(
      queues?.kycSubmissions.count,
      'Identities (KYC) to review',
      '/partner/reviews/identities',
    ),
    ...waiting(queues?.payouts.count, 'Payouts to approve', '/partner/reviews/payouts'),
    ...waiting(queues?.deals.count, 'Deals to decide', '/partner/reviews/deals'),
    ...waiting(emails?.length, 'Emails to review', '/templates/reviews', EMAILS_MAX),
  ];
}

function waiting(
  count: number | undefined,
  what: string,
  href: string,
  max = Infinity,
): readonly Concern[] {
  if (count === undefined || count === 0) return [];
  return [{ text: `${what}: ${inCount(count)}${count < max ? '' : ' or more'}`, href }];
}
