/** The headers of Standard Webhooks 1.0, in lower case as in Node. */
export const WEBHOOK_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Detects our webhooks to an address chosen by a tenant, or requests that imitate them. */
export function isWebhook(headers: Readonly<Record<string, unknown>>): boolean {
  return WEBHOOK_HEADERS.some(name => headers[name] !== undefined);
}
