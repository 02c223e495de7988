/** Of the calls that we make to the payment gateway. */
export const GATEWAY_CALL_PROBLEMS = {
  GATEWAY_NOT_CONFIGURED: {
    status: 409,
    title: 'There are no credentials by which the payment gateway would know this workspace.',
  },
  GATEWAY_REFUSED: { status: 422, title: 'The payment gateway refused it; nothing was done.' },
  GATEWAY_DENIED: {
    status: 422,
    title: 'The payment gateway does not accept the credentials; nothing was done.',
  },
  GATEWAY_BUSY: {
    status: 429,
    title: 'The payment gateway takes no more calls now; repeat it later with the same key.',
  },
  GATEWAY_UNAVAILABLE: {
    status: 503,
    title:
      'The payment gateway did not answer as it should, so it is not known whether it was done; repeat it with the same key, which never does it twice.',
  },
  GATEWAY_STATUS: { status: 409, title: 'It is not in a status from which this can follow.' },
  PAYMENT_NOT_REFUNDABLE: {
    status: 422,
    title: 'Only a payment that succeeded can be refunded.',
  },
  REFUND_EXCEEDS_PAYMENT: {
    status: 422,
    title: 'All refunds of a payment together cannot be more than was paid.',
  },
} as const;
