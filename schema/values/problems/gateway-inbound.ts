/** The errors of payment gateway webhooks and of the credentials that verify them. */
export const GATEWAY_INBOUND_PROBLEMS = {
  INVALID_SIGNATURE: {
    status: 401,
    title:
      'The signature matches no known secret. A workspace with its own merchant account must add `?workspace_id=` with its ID to the webhook URL. Without it, an event about an object that was not created here is verified with the platform’s secrets only.',
  },
  GATEWAY_CREDENTIALS_CHANGED: {
    status: 409,
    title:
      'The credentials were changed by another request. Fetch the current version and try again.',
  },
} as const;
