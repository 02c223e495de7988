/** Of what the payment gateway sends, and of what we know it by. */
export const GATEWAY_INBOUND_PROBLEMS = {
  INVALID_SIGNATURE: {
    status: 401,
    title: 'The signature is missing, or is not that of a known secret over these bytes.',
  },
  GATEWAY_CREDENTIALS_CHANGED: {
    status: 409,
    title: 'The credentials were changed meanwhile; look at them again.',
  },
} as const;
