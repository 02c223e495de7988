// The subscription of the tail, and its items.

export const LIVE_KINDS = [
  'EVENT',
  'REJECTED_EVENT',
  'GATEWAY_EVENT',
  'DELIVERY',
  'COUNTS',
] as const;

export const LIVE_DOCUMENT = `subscription Tail(
  $kinds: [LiveKind!], $name: String, $type: String, $user: String, $code: String
) {
  live(kinds: $kinds, name: $name, type: $type, user: $user, code: $code) {
    __typename
    ... on LiveSentEvent {
      receivedAt endpoint sdkKeyId type name messageId userId anonymousId body isBodyCut
    }
    ... on LiveRejectedEvent { code message batchIndex }
    ... on LiveGatewayEvent { id receivedAt eventType: type state effects error }
    ... on LiveDelivery {
      deliveryId endpointId eventId attemptedAt eventType attempt outcome status latencyMs reason isTest
    }
    ... on LiveCounts {
      at accepted duplicates rejected notShown deliveries deliveriesNotShown isIngestAnswering
    }
  }
}`;

type Sent = {
  readonly receivedAt: string;
  readonly endpoint: string;
  readonly sdkKeyId: string;
  readonly type: string | null;
  readonly name: string | null;
  readonly messageId: string | null;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly body: string;
  readonly isBodyCut: boolean;
};

export type TailItem =
  | (Sent & { readonly __typename: 'LiveEvent' })
  | (Sent & {
      readonly __typename: 'LiveRejectedEvent';
      readonly code: string;
      readonly message: string;
      readonly batchIndex: number;
    })
  | {
      readonly __typename: 'LiveGatewayEvent';
      readonly receivedAt: string;
      readonly eventType: string;
      readonly state: string;
      readonly effects: readonly string[];
      readonly error: string | null;
    }
  | {
      readonly __typename: 'LiveDelivery';
      readonly attemptedAt: string;
      readonly eventType: string;
      readonly attempt: number;
      readonly outcome: string;
      readonly status: number | null;
      readonly latencyMs: number;
      readonly reason: string;
      readonly isTest: boolean;
    }
  | TailCounts;

export type TailCounts = {
  readonly __typename: 'LiveCounts';
  readonly at: string;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly notShown: number;
  readonly deliveries: number;
  readonly deliveriesNotShown: number;
  readonly isIngestAnswering: boolean;
};
