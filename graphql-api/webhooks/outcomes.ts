/** The outcomes of an attempt. Also the label values of the metrics. */
export const WEBHOOK_OUTCOMES = [
  /** Any 2xx. */
  'DELIVERED',
  'REFUSED',
  /** A 3xx: redirects are never followed. */
  'REDIRECTED',
  /** 410: the endpoint is disabled. */
  'GONE',
  'TIMED_OUT',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  /** The host resolves to an address that webhooks are not sent to. */
  'ADDRESS_REFUSED',
  /** Our process ended during the attempt, so the outcome is unknown. */
  'INTERRUPTED',
] as const;

export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

export type WebhookCause = 'SCHEDULED' | 'REPLAY' | 'TEST';
