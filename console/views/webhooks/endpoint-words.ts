// The words and colors for the states of endpoints and deliveries.

import type { Tone } from '../../pieces/State.tsx';
import type { DeliveryState, Outcome } from './deliveries/deliveries-query.ts';
import type { ListedEndpoint } from './endpoints/endpoints-query.ts';

export const ENDPOINT_TONES: Record<ListedEndpoint['state'], Tone> = {
  ENABLED: 'good',
  DISABLED: 'quiet',
  AUTO_DISABLED: 'bad',
};

export const DISABLED_REASONS: Record<NonNullable<ListedEndpoint['disabledReason']>, string> = {
  BY_OPERATOR: 'Somebody here disabled it.',
  GONE: 'It answered 410, which says that it wants no more.',
  FAILING: 'It failed for five days without one success.',
};

export const DELIVERY_STATES: Record<DeliveryState, { tone: Tone; label: string }> = {
  PENDING: { tone: 'waiting', label: 'Under way' },
  DELIVERED: { tone: 'good', label: 'Delivered' },
  FAILED: { tone: 'bad', label: 'Given up' },
  CANCELLED: { tone: 'quiet', label: 'Not sent' },
};

export const OUTCOMES: Record<Outcome, string> = {
  DELIVERED: 'Taken',
  REFUSED: 'Refused',
  REDIRECTED: 'Redirected',
  GONE: 'Gone',
  TIMED_OUT: 'No answer in time',
  CONNECTION_FAILED: 'Not reached',
  TLS_FAILED: 'Certificate not valid',
  ADDRESS_REFUSED: 'Address refused',
  INTERRUPTED: 'Interrupted',
};

/** The description of an endpoint, otherwise its URL without the protocol: a host can have several. */
export function nameOf({ url, description }: Pick<ListedEndpoint, 'url' | 'description'>): string {
  const { host, pathname } = new URL(url);
  return description || host + (pathname === '/' ? '' : pathname);
}
