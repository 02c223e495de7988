/** The errors of calls to the payment gateway. */
export const GATEWAY_CALL_PROBLEMS = {
  GATEWAY_NOT_CONFIGURED: {
    status: 409,
    title: 'No payment gateway credentials are configured for this workspace.',
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
      'The rate limit of the payment gateway was exceeded. Retry later with the same idempotency key.',
  },
  GATEWAY_UNAVAILABLE: {
    status: 503,
    title:
      'The payment gateway did not return a valid response, so the outcome is unknown. Retry with the same idempotency key; the operation is never performed twice.',
  },
  GATEWAY_STATUS: { status: 409, title: 'The status of the object does not allow this action.' },
  PAYMENT_NOT_REFUNDABLE: {
    status: 422,
    title: 'Only a successful payment can be refunded.',
  },
  REFUND_EXCEEDS_PAYMENT: {
    status: 422,
    title: 'All refunds of a payment together cannot exceed the amount paid.',
  },
} as const;
