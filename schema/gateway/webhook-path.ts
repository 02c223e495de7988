/** Where the payment gateway posts its events, at ingest. */
export const WEBHOOK_PATH = '/v1/webhooks/payment/gateway';
