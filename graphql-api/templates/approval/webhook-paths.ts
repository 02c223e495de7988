export const MESSAGING_APP_WEBHOOK_PATH = '/webhooks/messaging-app/templates';
export const SMS_WEBHOOK_PATH = '/webhooks/sms/templates';
