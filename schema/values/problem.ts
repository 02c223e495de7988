// The table of all public errors. A code is stable and machine-readable; its status and title are
// the same at every call site. A message can add details of the case at hand, but never anything
// secret.

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
    title: 'The body cannot be decompressed with its Content-Encoding.',
  },
  INVALID_BODY: { status: 400, title: 'The body must be a JSON object.' },
  MISSING_WRITE_KEY: { status: 400, title: '`writeKey` is missing from the body.' },
  INVALID_BATCH: { status: 400, title: '`batch` must be an array of events.' },
  EMPTY_BATCH: { status: 400, title: '`batch` is empty. Send at least one event.' },
  TOO_MANY_EVENTS: { status: 400, title: '`batch` must have at most 100 events.' },
  INVALID_SENT_AT: { status: 400, title: '`sentAt` must be an ISO 8601 time.' },
  INVALID_CONTEXT: {
    status: 400,
    title: '`context` of the batch must be an object within the size limits.',
  },
  EVENTS_REJECTED: {
    status: 400,
    title: 'Some events were rejected. The other events were stored.',
  },
  INVALID_WRITE_KEY: { status: 401, title: 'The write key is missing, unknown or revoked.' },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    title: 'This origin is not on the allow-list of the write key.',
  },
  TENANT_MISMATCH: {
    status: 403,
    title: 'A header or field names a tenant that the write key does not belong to.',
  },
  NOT_FOUND: { status: 404, title: 'Nothing exists at this path or with this ID.' },
  WIDGET_NOT_FOUND: { status: 404, title: 'No widget exists with this ID in this workspace.' },
  WORKSPACE_NOT_FOUND: { status: 404, title: 'No workspace exists with this ID.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This path does not support this method.' },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The body is larger than 500 KB (512,000 bytes), decompressed.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Send the body as application/json or text/plain.',
  },
  UNSUPPORTED_ENCODING: {
    status: 415,
    title: 'Send the body uncompressed or encoded as gzip, deflate, br or zstd.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'The rate limit was exceeded. Retry after the number of seconds in Retry-After.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something went wrong on our side. Nothing was acknowledged, so retry the request.',
  },
  CELL_UNAVAILABLE: {
    status: 502,
    title: 'The cell of this tenant is not accepting events. Retry later.',
  },
  UPSTREAM_UNREACHABLE: {
    status: 502,
    title: 'The service behind this address is not responding. Retry later.',
  },
  UNAVAILABLE: { status: 503, title: 'The service is not accepting requests. Retry later.' },

  // Single events of a batch. The status is that of a request with only this event.
  INVALID_EVENT: { status: 400, title: 'An event must be a JSON object.' },
  MISSING_FIELD: { status: 400, title: 'A required field is missing.' },
  INVALID_FIELD: { status: 400, title: 'A field has the wrong type.' },
  INVALID_STRING: { status: 400, title: 'A field contains characters that cannot be stored.' },
  FIELD_TOO_LONG: { status: 400, title: 'A field is longer than 512 characters.' },
  UNKNOWN_EVENT_TYPE: {
    status: 400,
    title: 'type must be track, identify, page, screen, group or alias.',
  },
  INVALID_TIMESTAMP: {
    status: 400,
    title: 'timestamp must be an ISO 8601 time between the years 1970 and 2105.',
  },
  NESTING_TOO_DEEP: { status: 400, title: 'An object is nested deeper than 5 levels.' },
  KEY_TOO_LONG: { status: 400, title: 'A property key is longer than 256 characters.' },
  VALUE_TOO_LARGE: { status: 400, title: 'A property value is larger than 10 KB (10,240 bytes).' },
  NOT_IN_APP_FEEDBACK: {
    status: 400,
    title:
      'Only feedback on in-app campaigns is accepted (`event_type` impression, clicked or dismissed). Send application events to /v1/batch.',
  },
  WAREHOUSE_REFUSED: { status: 400, title: 'The warehouse rejected the row.' },

  // The control plane
  BAD_USER_INPUT: { status: 400, title: 'An input is malformed or has the wrong type.' },
  INVALID_ID: { status: 400, title: 'Unknown or malformed ID.' },
  INVALID_PAGE: {
    status: 400,
    title: 'A page must have 1 to 100 items and start after a cursor from an earlier page.',
  },
  INVALID_RANGE: {
    status: 400,
    title: 'The time range must end after it starts and must not exceed the maximum length.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    status: 400,
    title: 'An idempotency key must have 1 to 255 printable ASCII characters.',
  },
  MAX_COST_EXCEEDED: {
    status: 400,
    title: 'The query exceeds the maximum cost of one query. Select fewer fields or items.',
  },
  WORKSPACE_REQUIRED: {
    status: 400,
    title:
      'Name the workspace in X-Workspace-ID. The organization has several workspaces, or none.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Send a valid bearer token in the Authorization header.',
  },
  FORBIDDEN: { status: 403, title: 'Your roles do not allow this.' },
  WORKSPACE_FORBIDDEN: {
    status: 403,
    title: 'No workspace exists with this ID in your organization.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    title: 'A request with this idempotency key is still in progress. Retry later.',
  },
  IDEMPOTENCY_KEY_MISMATCH: {
    status: 422,
    title: 'This idempotency key was already used with a different input.',
  },
  SDK_KEY_ENDED: {
    status: 409,
    title: 'The SDK key is revoked or expired. Create a new one.',
  },
  SDK_KEY_ROTATED: {
    status: 409,
    title: 'The SDK key was already rotated. Rotate its successor instead.',
  },
  NO_CELL: { status: 422, title: 'No cell in this region accepts new workspaces.' },
  TOO_MANY_PROPERTIES: {
    status: 422,
    title: 'The workspace has reached its maximum number of properties.',
  },
  TOO_MANY_WORKSPACES: {
    status: 422,
    title: 'The organization has reached its maximum number of workspaces.',
  },
  TOO_MANY_SDK_KEYS: {
    status: 422,
    title: 'The workspace has reached its maximum number of active SDK keys. Revoke one first.',
  },
  REPORT_TOO_LARGE: {
    status: 422,
    title: 'The report would read too much data. Shorten the time range or add filters.',
  },
  REPORT_UNAVAILABLE: {
    status: 503,
    title: 'The warehouse of this workspace is not available for reports. Retry later.',
  },
  CAMPAIGN_CHANGED: {
    status: 409,
    title: 'The campaign was changed since this version. Reload it and try again.',
  },
  CAMPAIGN_STATUS: {
    status: 409,
    title: 'The status of the campaign does not allow this.',
  },
  CAMPAIGN_INCOMPLETE: { status: 422, title: 'The campaign is incomplete and cannot be shown.' },
  CAMPAIGN_TOO_LARGE: {
    status: 422,
    title: 'Content, variants and audience together must be at most 262,144 bytes.',
  },
  TOO_MANY_CAMPAIGNS: {
    status: 422,
    title: 'The workspace has reached its maximum number of campaigns.',
  },
  TOO_MANY_LIVE_CAMPAIGNS: {
    status: 422,
    title: 'The workspace has reached its maximum number of live campaigns. Pause one first.',
  },
  TRAITS_TOO_LARGE: {
    status: 422,
    title: 'The traits of the contact would be larger than 65,536 bytes. Remove some first.',
  },
  TOO_MANY_REPLAYS: {
    status: 422,
    title:
      'The workspace has reached its maximum number of running replays. Wait for one to finish.',
  },
  JOB_UNKNOWN: { status: 409, title: 'This job no longer exists.' },
  TOO_MANY_CONSENTS: {
    status: 422,
    title: 'The contact has reached its maximum number of consent purposes.',
  },
  TOO_MANY_LIVE_VIEWS: {
    status: 429,
    title: 'The workspace has reached its maximum number of live views. Close one first.',
  },
  THROTTLED: {
    status: 429,
    title: 'The rate limit was exceeded. Retry after the number of seconds in Retry-After.',
  },
  INTERNAL_SERVER_ERROR: { status: 500, title: 'Something went wrong on our side.' },

  ...PARTNER_PROBLEMS,
  ...GATEWAY_CALL_PROBLEMS,
  ...GATEWAY_INBOUND_PROBLEMS,
  ...JOURNEY_PROBLEMS,
  ...TEMPLATE_PROBLEMS,
  ...WEBHOOK_PROBLEMS,
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Codes that REST returns as `detail` in place of a message, so that programs can compare them. */
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

/** An expected failure, as data. Only the HTTP layer turns it into a response. */
export type Problem = {
  readonly code: ProblemCode;
  /** Public text that says what is wrong and what to do. */
  readonly message: string;
  /** Whole seconds until a retry can succeed (429, 502, 503). */
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
