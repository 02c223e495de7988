// The items of the live view. They contain all data that is shown, so that nothing is loaded later.

import type { TailEntry, TailRefusal } from '../../../schema/values/tail.ts';
import type { GatewayEventState } from '../../payments/gateway-event.reads.ts';
import type { WebhookDelivery } from '../../webhooks/delivery.entity.ts';
import type { WebhookCause, WebhookOutcome } from '../../webhooks/outcomes.ts';

export type LiveKind = LiveItem['kind'];

export type LiveItem = LiveEvent | LiveRejectedEvent | LiveGatewayEvent | LiveDelivery | LiveCounts;

export type LiveEvent = TailEntry & { readonly kind: 'EVENT' };

export type LiveRejectedEvent = TailEntry & {
  readonly kind: 'REJECTED_EVENT';
  readonly refusal: TailRefusal;
};

export type LiveGatewayEvent = {
  readonly kind: 'GATEWAY_EVENT';
  readonly id: string;
  readonly type: string;
  readonly family: string;
  readonly state: GatewayEventState;
  readonly effects: readonly string[];
  readonly error: string | null;
  readonly receivedAt: Date;
};

export type LiveDelivery = {
  readonly kind: 'DELIVERY';
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly isTest: boolean;
  readonly state: WebhookDelivery['state'];
  readonly attempt: number;
  readonly cause: WebhookCause;
  readonly outcome: WebhookOutcome;
  readonly status: number | null;
  readonly latencyMs: number;
  readonly reason: string;
  readonly attemptedAt: Date;
};

export type LiveCounts = {
  readonly kind: 'COUNTS';
  readonly at: Date;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** The number of accepted and rejected events that were left out. */
  readonly notShown: number;
  readonly deliveries: number;
  readonly deliveriesNotShown: number;
  readonly isIngestAnswering: boolean;
};
