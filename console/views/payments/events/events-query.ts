import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const EVENT_LIST = graphql(`
  query GatewayEvents($state: GatewayEventState, $after: String) {
    gatewayEvents(first: 25, after: $after, state: $state) {
      nodes { id type family state effects attempts error receivedAt nextAttemptAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** Platform admins only. */
export const EVERYBODYS_EVENTS = graphql(`
  query PlatformGatewayEvents($state: GatewayEventState!, $after: String) {
    platformGatewayEvents(first: 25, after: $after, state: $state) {
      nodes { id type family state effects attempts error receivedAt nextAttemptAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedEvent = ResultOf<typeof EVENT_LIST>['gatewayEvents']['nodes'][number];
export type EventState = ListedEvent['state'];

export const EVENT = graphql(`
  query GatewayEvent($id: ID!) {
    gatewayEvent(id: $id) {
      id
      type
      family
      state
      effects
      attempts
      error
      eventAt
      receivedAt
      processedAt
      nextAttemptAt
      body
    }
  }
`);

export type GatewayEvent = NonNullable<ResultOf<typeof EVENT>['gatewayEvent']>;

export const EFFECTS = graphql(`
  query GatewayEffects($eventId: ID!, $after: String) {
    gatewayEffects(first: 25, after: $after, eventId: $eventId) {
      nodes { name objectKind objectId isLate occurredAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Effect = ResultOf<typeof EFFECTS>['gatewayEffects']['nodes'][number];

export const REPLAY_EVENTS = graphql(`
  mutation GatewayEventsReplay($ids: [ID!]!) {
    gatewayEventsReplay(input: { ids: $ids }) {
      events { id state attempts error }
      userErrors { message field }
    }
  }
`);
