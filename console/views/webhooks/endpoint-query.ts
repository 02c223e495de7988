import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const ENDPOINT = graphql(`
  query WebhookEndpoint($id: ID!) {
    node(id: $id) {
      __typename
      ... on WebhookEndpoint {
        id
        url
        description
        eventTypes
        state
        disabledReason
        disabledAt
        failingSince
        lastSuccessAt
        secretSetAt
        previousSecretUntil
        version
        createdAt
        lastDay { since delivered failed pending retrying cancelled }
        waiting { count nextAttemptAt }
      }
    }
  }
`);

type Node = NonNullable<ResultOf<typeof ENDPOINT>['node']>;
export type Endpoint = Extract<Node, { __typename: 'WebhookEndpoint' }>;

/** Everything that can be chosen. */
export const EVENT_TYPES = graphql(`
  query WebhookEventTypes {
    webhookEventTypes { choice description types { type description } }
  }
`);

export type EventFamily = ResultOf<typeof EVENT_TYPES>['webhookEventTypes'][number];
