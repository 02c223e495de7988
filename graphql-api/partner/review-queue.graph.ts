import { builder } from '../platform/graph/builder.ts';
import { expose } from '../platform/graph/fields.ts';
import { type ReviewQueue, type ReviewQueues, reviewQueues } from './review-queue.reads.ts';

const ReviewQueueRef = builder.objectRef<ReviewQueue>('ReviewQueue').implement({
  description: 'The length of a review queue, and the age of its oldest item.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    ...expose(t, 'Int!', { count: 'The number of items in the queue.' }),
    ...expose(t, 'DateTime', {
      oldestAt:
        'When the oldest item was submitted or requested; for a deal, when its first proof was submitted. Null if the queue is empty.',
    }),
  }),
});

const ReviewQueuesRef = builder.objectRef<ReviewQueues>('PartnerReviewQueues').implement({
  description: 'The review queues of the partner program.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    ...expose(t, ReviewQueueRef, {
      kycSubmissions: 'KYC submissions that are pending review.',
      payouts: 'Requested payouts that have not been sent to the bank yet.',
      deals: 'Open deals for which proof has been submitted.',
    }),
  }),
});

builder.queryField('partnerReviewQueues', t =>
  t.field({
    type: ReviewQueuesRef,
    nullable: false,
    description:
      'The review queues of the partner program, across all organizations. Platform admins only.',
    authScopes: { platformAdmin: true },
    // One for each count.
    complexity: 3,
    resolve: (_root, _args, { context }) => reviewQueues(context),
  }),
);
