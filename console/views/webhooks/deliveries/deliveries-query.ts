import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';

export const DELIVERIES = graphql(`
  query WebhookDeliveries(
    $endpointId: ID
    $state: WebhookDeliveryState
    $isRetrying: Boolean
    $outcome: WebhookOutcome
    $eventType: String
    $since: DateTime
    $after: String
  ) {
    webhookDeliveries(
      first: 25
      after: $after
      endpointId: $endpointId
      state: $state
      isRetrying: $isRetrying
      outcome: $outcome
      eventType: $eventType
      since: $since
    ) {
      nodes {
        id
        eventType
        isTest
        state
        attemptCount
        lastOutcome
        lastStatus
        lastLatencyMs
        nextAttemptAt
        createdAt
        endpoint { id url description state failingSince }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedDelivery = ResultOf<typeof DELIVERIES>['webhookDeliveries']['nodes'][number];
export type DeliveryFilter = Omit<VariablesOf<typeof DELIVERIES>, 'after'>;
export type DeliveryState = ListedDelivery['state'];
export type Outcome = NonNullable<ListedDelivery['lastOutcome']>;

/** Refetched after a webhook is sent, also if the list was empty. */
export const OF_DELIVERIES = { additionalTypenames: ['WebhookDelivery'] };

export const DELIVERY = graphql(`
  query WebhookDelivery($id: ID!) {
    node(id: $id) {
      __typename
      ... on WebhookDelivery {
        id
        eventId
        eventType
        isTest
        state
        attemptCount
        lastOutcome
        nextAttemptAt
        createdAt
        finishedAt
        body
        endpoint { id url description state failingSince }
        attempts { number cause attemptedAt outcome status latencyMs reason }
      }
    }
  }
`);

type Node = NonNullable<ResultOf<typeof DELIVERY>['node']>;
export type Delivery = Extract<Node, { __typename: 'WebhookDelivery' }>;
export type Attempt = Delivery['attempts'][number];

export const REPLAY_DELIVERIES = graphql(`
  mutation WebhookDeliveriesReplay($ids: [ID!]!) {
    webhookDeliveriesReplay(input: { ids: $ids }) {
      webhookDeliveries { id state }
      userErrors { message field code }
    }
  }
`);
