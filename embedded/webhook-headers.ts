/** Those of Standard Webhooks 1.0, in lower case as Node has them. */
export const WEBHOOK_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** What was sent by us to an address that a tenant chose, or by somebody who sends the same. */
export function isWebhook(headers: Readonly<Record<string, unknown>>): boolean {
  return WEBHOOK_HEADERS.some(name => headers[name] !== undefined);
}
