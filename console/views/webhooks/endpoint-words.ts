// The words and colors for the states of endpoints and deliveries.

import type { Tone } from '../../pieces/State.tsx';
import type { DeliveryState, ListedDelivery, Outcome } from './deliveries/deliveries-query.ts';
import type { ListedEndpoint } from './endpoints/endpoints-query.ts';

export const ENDPOINT_TONES: Record<ListedEndpoint['state'], Tone> = {
  ENABLED: 'good',
  DISABLED: 'quiet',
  AUTO_DISABLED: 'bad',
};

export const DISABLED_REASONS: Record<NonNullable<ListedEndpoint['disabledReason']>, string> = {
  BY_OPERATOR: 'Disabled by an owner',
  GONE: 'Disabled because it responded with 410 (Gone)',
  FAILING: 'Disabled after five days without a successful delivery',
};

/** The states of the API, and RETRYING for a delivery that is pending after a failed attempt. */
export type ShownState = DeliveryState | 'RETRYING';

export const DELIVERY_STATES: Record<ShownState, { tone: Tone; label: string }> = {
  PENDING: { tone: 'info', label: 'Pending' },
  RETRYING: { tone: 'waiting', label: 'Retrying' },
  DELIVERED: { tone: 'good', label: 'Delivered' },
  FAILED: { tone: 'bad', label: 'Failed' },
  CANCELLED: { tone: 'quiet', label: 'Not sent' },
};

/** A pending delivery whose last attempt succeeded is being resent. */
export function shownStateOf({
  state,
  lastOutcome,
}: Pick<ListedDelivery, 'state' | 'lastOutcome'>): ShownState {
  const isRetrying = state === 'PENDING' && lastOutcome !== null && lastOutcome !== 'DELIVERED';
  return isRetrying ? 'RETRYING' : state;
}

export const OUTCOMES: Record<Outcome, string> = {
  DELIVERED: 'Delivered',
  REFUSED: 'Error response',
  REDIRECTED: 'Redirected',
  GONE: 'Gone',
  TIMED_OUT: 'Timed out',
  CONNECTION_FAILED: 'Connection failed',
  TLS_FAILED: 'Invalid certificate',
  ADDRESS_REFUSED: 'Address not allowed',
  INTERRUPTED: 'Interrupted',
};

/** The description of an endpoint, otherwise its URL without the protocol: a host can have several. */
export function nameOf({ url, description }: Pick<ListedEndpoint, 'url' | 'description'>): string {
  const { host, pathname } = new URL(url);
  return description || host + (pathname === '/' ? '' : pathname);
}
