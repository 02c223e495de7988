/** Errors of inbound gateway events and of gateway credentials. */
export const GATEWAY_INBOUND_PROBLEMS = {
  INVALID_SIGNATURE: {
    status: 401,
    title:
      'The signature does not match any known secret. For a workspace with its own merchant account, add `?workspace_id=` with the ID of the workspace to this address. Without it, an event that names no known object is verified with the platform’s secrets only.',
  },
  GATEWAY_CREDENTIALS_CHANGED: {
    status: 409,
    title: 'The credentials were changed in the meantime. Reload them and try again.',
  },
} as const;
