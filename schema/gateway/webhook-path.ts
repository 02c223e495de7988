/** The path of the gateway webhook endpoint at ingest. */
export const WEBHOOK_PATH = '/v1/webhooks/payment/gateway';
