import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const REJECTED_ROWS = graphql(`
  query RejectedRows($after: String) {
    refusedOutboxRows(first: 50, after: $after) {
      nodes { id table reason attempts workspaceId row createdAt failedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type RejectedRow = ResultOf<typeof REJECTED_ROWS>['refusedOutboxRows']['nodes'][number];

/** The API's limit for one retry or discard. */
export const CHOSEN_MAX = 100;

export const RETRY = graphql(`
  mutation OutboxRowRetry($ids: [ID!]!) {
    outboxRowRetry(input: { ids: $ids }) { ids userErrors { code message field } }
  }
`);

export const DISCARD = graphql(`
  mutation OutboxRowDiscard($ids: [ID!]!) {
    outboxRowDiscard(input: { ids: $ids }) { ids userErrors { code message field } }
  }
`);
