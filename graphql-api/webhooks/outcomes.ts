/** The outcome of an attempt. Also a label of the metrics. */
export type WebhookOutcome =
  /** Any 2xx. */
  | 'DELIVERED'
  | 'REFUSED'
  /** A 3xx: redirects are never followed. */
  | 'REDIRECTED'
  /** 410: the endpoint is disabled. */
  | 'GONE'
  | 'TIMED_OUT'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  /** The host resolves to an address that webhooks are not sent to. */
  | 'ADDRESS_REFUSED'
  /** Our process ended during the attempt, so the outcome is unknown. */
  | 'INTERRUPTED';

export type WebhookCause = 'SCHEDULED' | 'REPLAY' | 'TEST';
