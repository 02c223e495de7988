/** Of what the payment gateway sends, and of what we know it by. */
export const GATEWAY_INBOUND_PROBLEMS = {
  INVALID_SIGNATURE: {
    status: 401,
    title:
      'No known secret signed this. A workspace with a merchant account of its own posts to this address with ?workspace_id=, its id: without it, an event that names nothing made here is compared with the platform’s secrets only.',
  },
  GATEWAY_CREDENTIALS_CHANGED: {
    status: 409,
    title: 'The credentials were changed meanwhile; look at them again.',
  },
} as const;
