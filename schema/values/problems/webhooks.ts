/** What the endpoints of outbound webhooks, and what is sent to them, refuse with. */
export const WEBHOOK_PROBLEMS = {
  WEBHOOK_URL_REFUSED: {
    status: 422,
    title: 'Webhooks go to an https address, on port 443, of a host that anybody can reach.',
  },
  WEBHOOK_ENDPOINT_CHANGED: {
    status: 409,
    title: 'The endpoint was changed since that version; look at it again.',
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    status: 409,
    title: 'The endpoint is disabled; enable it first.',
  },
  WEBHOOK_DELIVERY_NOT_REPLAYABLE: {
    status: 409,
    title: 'One of them is a test, or is being sent right now; nothing was done.',
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    status: 422,
    title: 'The workspace has as many webhook endpoints as it may; delete one first.',
  },
} as const;
