/** What may become of one attempt at a delivery; also the labels of the metrics. */
export const WEBHOOK_OUTCOMES = [
  /** Any 2xx. */
  'DELIVERED',
  'REFUSED',
  /** A 3xx: redirects are never followed. */
  'REDIRECTED',
  /** 410: the endpoint wants no more, and is disabled. */
  'GONE',
  'TIMED_OUT',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  /** The host has an address that webhooks don't go to. */
  'ADDRESS_REFUSED',
  /** Our process ended, so that nobody knows. */
  'INTERRUPTED',
] as const;

export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

export type WebhookCause = 'SCHEDULED' | 'REPLAY' | 'TEST';
