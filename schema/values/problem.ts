// The one error table. A code is stable and machine-readable; its status and title never change
// per call site. A message may say more about the case at hand, but never anything secret.

import { GATEWAY_CALL_PROBLEMS } from './problems/gateway-calls.ts';
import { GATEWAY_INBOUND_PROBLEMS } from './problems/gateway-inbound.ts';
import { JOURNEY_PROBLEMS } from './problems/journeys.ts';
import { PARTNER_PROBLEMS } from './problems/partner.ts';
import { TEMPLATE_PROBLEMS } from './problems/templates.ts';
import { WEBHOOK_PROBLEMS } from './problems/webhooks.ts';

export const PROBLEMS = {
  // Requests
  MALFORMED_JSON: { status: 400, title: 'The body is not valid JSON.' },
  MALFORMED_ENCODING: {
    status: 400,
    title: 'The body does not decompress as its Content-Encoding says.',
  },
  INVALID_BODY: { status: 400, title: 'The body must be a JSON object.' },
  MISSING_WRITE_KEY: { status: 400, title: 'The body has no writeKey.' },
  INVALID_BATCH: { status: 400, title: 'batch must be an array of events.' },
  EMPTY_BATCH: { status: 400, title: 'batch is empty.' },
  TOO_MANY_EVENTS: { status: 400, title: 'batch has more than 100 events.' },
  INVALID_SENT_AT: { status: 400, title: 'sentAt is missing or not an ISO 8601 time.' },
  INVALID_CONTEXT: {
    status: 400,
    title: 'context of the batch must be an object within the limits.',
  },
  EVENTS_REJECTED: { status: 400, title: 'Some events were rejected; the others are stored.' },
  INVALID_WRITE_KEY: { status: 401, title: 'The write key is missing, unknown or revoked.' },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    title: 'This origin is not on the allow-list of the write key.',
  },
  TENANT_MISMATCH: {
    status: 403,
    title: 'A tenant header or field names a tenant that is not the write key’s.',
  },
  NOT_FOUND: { status: 404, title: 'There is nothing at this path.' },
  WIDGET_NOT_FOUND: { status: 404, title: 'This workspace has no widget with that id.' },
  WORKSPACE_NOT_FOUND: { status: 404, title: 'There is no such workspace.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This path does not take that method.' },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The body is larger than 500 KB (512,000 bytes), decompressed.',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Send application/json or text/plain.' },
  UNSUPPORTED_ENCODING: {
    status: 415,
    title: 'Send the body plain or as gzip, deflate, br or zstd.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'The rate limit is reached; retry after Retry-After seconds.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something went wrong on our side; nothing was acknowledged. Retry.',
  },
  CELL_UNAVAILABLE: {
    status: 502,
    title: 'The cell of this tenant does not take events now; retry later.',
  },
  UPSTREAM_UNREACHABLE: {
    status: 502,
    title: 'The service behind this address does not answer now; retry later.',
  },
  UNAVAILABLE: { status: 503, title: 'The service does not take requests now; retry later.' },

  // Single events of a batch: the status is what a request of only this event would get.
  INVALID_EVENT: { status: 400, title: 'An event must be a JSON object.' },
  MISSING_FIELD: { status: 400, title: 'A required field is missing.' },
  INVALID_FIELD: { status: 400, title: 'A field has the wrong type.' },
  INVALID_STRING: { status: 400, title: 'A field has characters that cannot be stored.' },
  FIELD_TOO_LONG: { status: 400, title: 'A field is longer than 512 characters.' },
  UNKNOWN_EVENT_TYPE: {
    status: 400,
    title: 'type must be track, identify, page, screen, group or alias.',
  },
  INVALID_TIMESTAMP: {
    status: 400,
    title: 'timestamp is not an ISO 8601 time of the years 1970 to 2105.',
  },
  NESTING_TOO_DEEP: { status: 400, title: 'An object is nested deeper than 5 levels.' },
  KEY_TOO_LONG: { status: 400, title: 'A property key is longer than 256 characters.' },
  VALUE_TOO_LARGE: { status: 400, title: 'A property value is larger than 10 KB (10,240 bytes).' },
  NOT_IN_APP_FEEDBACK: {
    status: 400,
    title:
      'This is no feedback on an in-app campaign (event_type impression, clicked or dismissed). Application events go to /v1/batch.',
  },
  WAREHOUSE_REFUSED: { status: 400, title: 'The warehouse refused the row.' },

  // The control plane
  BAD_USER_INPUT: { status: 400, title: 'An input is malformed or has the wrong type.' },
  INVALID_ID: { status: 400, title: 'This is no id that was given out here.' },
  INVALID_PAGE: {
    status: 400,
    title: 'Ask for 1 to 100 items, after a cursor that an earlier page gave.',
  },
  INVALID_RANGE: {
    status: 400,
    title: 'A report needs a range of time that ends after it begins and is not too long.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    status: 400,
    title: 'An idempotency key has 1 to 255 printable ASCII characters.',
  },
  MAX_COST_EXCEEDED: {
    status: 400,
    title: 'The query costs more than one query may; ask for less.',
  },
  WORKSPACE_REQUIRED: {
    status: 400,
    title: 'Name the workspace in X-Workspace-ID: the organisation has none or several.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Send a valid bearer token in the Authorization header.',
  },
  FORBIDDEN: { status: 403, title: 'Your roles do not allow this.' },
  WORKSPACE_FORBIDDEN: { status: 403, title: 'There is no such workspace in your organisation.' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    title: 'The request with this idempotency key is still under way; retry.',
  },
  IDEMPOTENCY_KEY_MISMATCH: {
    status: 422,
    title: 'This idempotency key was used with another input.',
  },
  SDK_KEY_ENDED: {
    status: 409,
    title: 'The key was revoked or its time is over; make a new one.',
  },
  SDK_KEY_ROTATED: { status: 409, title: 'The key was replaced already; rotate its successor.' },
  NO_CELL: { status: 422, title: 'No cell of that region takes new workspaces now.' },
  TOO_MANY_PROPERTIES: {
    status: 422,
    title: 'The workspace has as many properties as it may.',
  },
  TOO_MANY_WORKSPACES: {
    status: 422,
    title: 'The organisation has as many workspaces as it may.',
  },
  TOO_MANY_SDK_KEYS: {
    status: 422,
    title: 'The workspace has as many live keys as it may; revoke one first.',
  },
  REPORT_TOO_LARGE: {
    status: 422,
    title: 'The report would have to read too much; ask for a shorter range, or for less of it.',
  },
  REPORT_UNAVAILABLE: {
    status: 503,
    title: 'The warehouse of this workspace does not answer reports now; retry later.',
  },
  CAMPAIGN_CHANGED: {
    status: 409,
    title: 'The campaign was changed since that version; look at it again.',
  },
  CAMPAIGN_STATUS: {
    status: 409,
    title: 'The campaign is not in a status from which this can follow.',
  },
  CAMPAIGN_INCOMPLETE: { status: 422, title: 'The campaign lacks something to be shown.' },
  CAMPAIGN_TOO_LARGE: {
    status: 422,
    title: 'Content, variants and audience together are larger than 262,144 bytes.',
  },
  TOO_MANY_CAMPAIGNS: { status: 422, title: 'The workspace has as many campaigns as it may.' },
  TOO_MANY_LIVE_CAMPAIGNS: {
    status: 422,
    title: 'The workspace has as many live campaigns as it may; pause one first.',
  },
  TRAITS_TOO_LARGE: {
    status: 422,
    title: 'The person’s traits would be larger than 65,536 bytes; remove some.',
  },
  TOO_MANY_REPLAYS: {
    status: 422,
    title: 'The workspace has as many replays under way as it may; wait for one to end.',
  },
  JOB_UNKNOWN: { status: 409, title: 'There is no such job any more.' },
  TOO_MANY_CONSENTS: {
    status: 422,
    title: 'The person has consents for as many purposes as they may.',
  },
  TOO_MANY_LIVE_VIEWS: {
    status: 429,
    title: 'The workspace is watched by as many live views as it may be; close one first.',
  },
  THROTTLED: { status: 429, title: 'The rate limit is reached; retry after Retry-After seconds.' },
  INTERNAL_SERVER_ERROR: { status: 500, title: 'Something went wrong on our side.' },

  ...PARTNER_PROBLEMS,
  ...GATEWAY_CALL_PROBLEMS,
  ...GATEWAY_INBOUND_PROBLEMS,
  ...JOURNEY_PROBLEMS,
  ...TEMPLATE_PROBLEMS,
  ...WEBHOOK_PROBLEMS,
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** What REST's `detail` shows as the code itself, for programs to compare. */
export const STATUS_STRINGS: ReadonlySet<ProblemCode> = new Set([
  'UPGRADE_NOT_ELIGIBLE',
  'AFFILIATE_PROFILE_REQUIRED',
  'KYC_NOT_APPROVED',
  'NOT_AGENCY',
  'DEAL_LOCKED',
  'DEAL_ALREADY_REGISTERED',
  'PROOF_DEADLINE_PASSED',
  'PASSTHROUGH_INVOICE',
  'INSUFFICIENT_BALANCE',
  'INVOICE_MISMATCH',
  'REDEMPTION_CAP_EXCEEDED',
  'REFERRAL_CODE_UNKNOWN',
  'SELF_REFERRAL',
  'ATTRIBUTION_CLOSED',
  'BELOW_MIN_THRESHOLD',
  'NET30_GUARDRAIL',
]);

/** An expected failure, as data. Only the edge turns it into a response. */
export type Problem = {
  readonly code: ProblemCode;
  /** Public text; says what to do. */
  readonly message: string;
  /** Whole seconds after which a retry makes sense (429, 502, 503). */
  readonly retryAfterSeconds?: number;
};

export function problem(code: ProblemCode, message?: string, retryAfterSeconds?: number): Problem {
  const text = message ?? PROBLEMS[code].title;
  return retryAfterSeconds === undefined
    ? { code, message: text }
    : { code, message: text, retryAfterSeconds };
}

export function statusOf(code: ProblemCode): number {
  return PROBLEMS[code].status;
}
