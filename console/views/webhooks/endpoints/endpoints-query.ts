import { graphql, type ResultOf } from '../../../graph/graphql.ts';

/** As many as a workspace may have. */
export const ENDPOINTS = graphql(`
  query WebhookEndpoints {
    webhookEndpoints(first: 20) {
      nodes {
        id
        url
        description
        eventTypes
        state
        disabledReason
        failingSince
        lastSuccessAt
        lastDay { delivered failed pending retrying cancelled }
      }
    }
  }
`);

export type ListedEndpoint = ResultOf<typeof ENDPOINTS>['webhookEndpoints']['nodes'][number];

/** Refetched after an endpoint is created, also if the list was empty. */
export const OF_ENDPOINTS = { additionalTypenames: ['WebhookEndpoint'] };
