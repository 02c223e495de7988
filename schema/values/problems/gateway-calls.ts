/** Errors of calls to the payment gateway. */
export const GATEWAY_CALL_PROBLEMS = {
  GATEWAY_NOT_CONFIGURED: {
    status: 409,
    title: 'This workspace has no credentials for the payment gateway.',
  },
  GATEWAY_REFUSED: {
    status: 422,
    title: 'The payment gateway rejected the request. Nothing was changed.',
  },
  GATEWAY_DENIED: {
    status: 422,
    title: 'The payment gateway rejected the credentials. Nothing was changed.',
  },
  GATEWAY_BUSY: {
    status: 429,
    title:
      'The payment gateway’s rate limit was exceeded. Retry later with the same idempotency key.',
  },
  GATEWAY_UNAVAILABLE: {
    status: 503,
    title:
      'The payment gateway did not return a valid response, so the outcome is unknown. Retry with the same idempotency key, which never performs the request twice.',
  },
  GATEWAY_STATUS: { status: 409, title: 'The status of the object does not allow this.' },
  PAYMENT_NOT_REFUNDABLE: {
    status: 422,
    title: 'Only a successful payment can be refunded.',
  },
  REFUND_EXCEEDS_PAYMENT: {
    status: 422,
    title: 'The total of all refunds cannot exceed the amount of the payment.',
  },
} as const;
