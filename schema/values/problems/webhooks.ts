/** The errors of webhook endpoints and their deliveries. */
export const WEBHOOK_PROBLEMS = {
  WEBHOOK_URL_REFUSED: {
    status: 422,
    title: 'The URL must use https on port 443 and a publicly reachable host.',
  },
  WEBHOOK_ENDPOINT_CHANGED: {
    status: 409,
    title: 'The endpoint was changed by another request. Fetch the current version and try again.',
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    status: 409,
    title: 'The endpoint is disabled. Enable it first.',
  },
  WEBHOOK_DELIVERY_NOT_REPLAYABLE: {
    status: 409,
    title: 'A delivery is a test or is being sent right now. No delivery was replayed.',
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    status: 422,
    title: 'The workspace has reached its maximum number of webhook endpoints. Delete one first.',
  },
} as const;
