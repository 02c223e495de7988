import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const PLATFORM_PAYOUTS = graphql(`
  query PartnerReviewPayouts($status: PayoutStatus, $after: String) {
    platformPayouts(first: 30, status: $status, after: $after) {
      nodes {
        id organizationId organizationName status taxRateBps bankReference reason
        createdAt processingAt paidAt closedAt
        gross { amount currencyCode }
        tax { amount currencyCode }
        net { amount currencyCode }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** Sent to the bank, and not yet marked as paid. */
export const PROCESSING_PAYOUTS = graphql(`
  query PartnerReviewProcessing {
    platformPayouts(first: 30, status: PROCESSING) {
      nodes { id }
      pageInfo { hasNextPage }
    }
  }
`);

export type PlatformPayout = ResultOf<typeof PLATFORM_PAYOUTS>['platformPayouts']['nodes'][number];

export const ADVANCE = graphql(`
  mutation PartnerReviewAdvance($payouts: [PayoutAdvanceItem!]!) {
    payoutBulkAdvance(input: { payouts: $payouts }) {
      payouts { id status net { amount currencyCode } }
      userErrors { message field }
    }
  }
`);

export type Step = {
  readonly to: 'PROCESSING' | 'PAID' | 'REJECTED' | 'FAILED' | 'REVERSED';
  readonly from: PlatformPayout['status'];
  /** The label of the action. */
  readonly verb: string;
  /** After “was” or “were”. */
  readonly done: string;
  readonly isBad?: boolean;
  /** The text that the step requires. */
  readonly text?: {
    readonly name: 'bankReference' | 'reason';
    readonly label: string;
    readonly description: string;
  };
};

const REASON = {
  name: 'reason',
  label: 'Reason',
  description: 'Shown to the partner. The cash returns to their wallet.',
} as const;

export const STEPS: readonly Step[] = [
  {
    from: 'REQUESTED',
    to: 'PROCESSING',
    verb: 'Approve and send to bank',
    done: 'approved and sent to the bank.',
  },
  {
    from: 'REQUESTED',
    to: 'REJECTED',
    verb: 'Reject',
    done: 'rejected. The cash was returned to the wallet.',
    isBad: true,
    text: REASON,
  },
  {
    from: 'PROCESSING',
    to: 'PAID',
    verb: 'Mark as paid',
    done: 'marked as paid.',
    text: {
      name: 'bankReference',
      label: 'Bank reference',
      description: 'For example the UTR. It appears on the partner’s tax statement.',
    },
  },
  {
    from: 'PROCESSING',
    to: 'FAILED',
    verb: 'Mark as failed',
    done: 'marked as failed. The cash was returned to the wallet.',
    isBad: true,
    text: REASON,
  },
  {
    from: 'PAID',
    to: 'REVERSED',
    verb: 'Mark as returned',
    done: 'marked as returned. The cash was returned to the wallet.',
    isBad: true,
    text: REASON,
  },
];
