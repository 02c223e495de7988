export const WEBHOOK_PATH = '/v1/webhooks/payment/gateway';
