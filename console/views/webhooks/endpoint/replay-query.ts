import { graphql } from '../../../graph/graphql.ts';

export const REPLAY = graphql(`
  mutation WebhookEndpointReplay($id: ID!, $input: WebhookEndpointReplayInput!) {
    webhookEndpointReplay(id: $id, input: $input) { count isByJob userErrors { message field } }
  }
`);

/** How many deliveries the mutation would send. */
export const REPLAY_COUNT = graphql(`
  query WebhookReplayCount($id: ID!, $since: DateTime, $includeDelivered: Boolean!) {
    node(id: $id) {
      ... on WebhookEndpoint {
        id
        replayCount(since: $since, includeDelivered: $includeDelivered)
      }
    }
  }
`);
