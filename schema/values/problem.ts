// The table of all public errors. A code is stable and machine-readable; its status and title are
// the same at every call site. A message can add details of the case at hand, but never anything
// secret.

import { CONTROL_PLANE_PROBLEMS } from './control-plane-problems.ts';

const TABLE = {
  // Requests
  MALFORMED_JSON: [400, 'The body is not valid JSON.'],
  MALFORMED_ENCODING: [
    400,
    'The body could not be decompressed as its Content-Encoding specifies.',
  ],
  INVALID_BODY: [400, 'The body must be a JSON object.'],
  MISSING_WRITE_KEY: [400, '`writeKey` is missing from the body.'],
  INVALID_BATCH: [400, '`batch` must be an array of events.'],
  EMPTY_BATCH: [400, '`batch` is empty. Send at least one event.'],
  TOO_MANY_EVENTS: [400, '`batch` must have at most 100 events.'],
  INVALID_SENT_AT: [400, '`sentAt` must be an ISO 8601 time.'],
  INVALID_CONTEXT: [400, 'The batch’s `context` must be an object within the size limits.'],
  EVENTS_REJECTED: [400, 'Some events were rejected. The other events were stored.'],
  INVALID_WRITE_KEY: [401, 'The write key is missing, unknown or revoked.'],
  ORIGIN_NOT_ALLOWED: [
    403,
    'The write key does not allow this origin. Add the origin to the `origins` of the SDK key.',
  ],
  CONTRACT_ONLY: [
    403,
    'This write key accepts only requests that follow the contract of /v1/batch. To use another vendor’s client, set the SDK key’s `accepts` to COMPATIBLE.',
  ],
  TENANT_MISMATCH: [403, 'A header or field names a tenant that the write key does not belong to.'],
  NOT_FOUND: [404, 'The requested resource does not exist.'],
  WIDGET_NOT_FOUND: [404, 'No widget with this ID exists in this workspace.'],
  WORKSPACE_NOT_FOUND: [404, 'No workspace exists with this ID.'],
  METHOD_NOT_ALLOWED: [405, 'This path does not support this method.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than 500 KB (512,000 bytes) after decompression.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as application/json or text/plain.'],
  UNSUPPORTED_ENCODING: [
    415,
    'Send the body uncompressed or encoded as gzip, deflate, br or zstd.',
  ],
  RATE_LIMITED: [
    429,
    'The rate limit was exceeded. Retry after the number of seconds in Retry-After.',
  ],
  INTERNAL: [
    500,
    'Something went wrong on our side. Nothing was acknowledged, so retry the request.',
  ],
  CELL_UNAVAILABLE: [502, 'This tenant’s cell is not accepting events. Retry later.'],
  UPSTREAM_UNREACHABLE: [502, 'The service behind this address is not responding. Retry later.'],
  UNAVAILABLE: [503, 'The service is not accepting requests. Retry later.'],

  // Single events of a batch. The status is that of a request with only this event.
  INVALID_EVENT: [400, 'An event must be a JSON object.'],
  MISSING_FIELD: [400, 'A required field is missing.'],
  INVALID_FIELD: [400, 'A field has the wrong type.'],
  INVALID_STRING: [400, 'A field contains characters that cannot be stored.'],
  FIELD_TOO_LONG: [400, 'A field is longer than 512 characters.'],
  UNKNOWN_EVENT_TYPE: [400, 'type must be track, identify, page, screen, group or alias.'],
  INVALID_TIMESTAMP: [400, 'timestamp must be an ISO 8601 time between the years 1970 and 2105.'],
  NESTING_TOO_DEEP: [400, 'An object is nested deeper than 5 levels.'],
  KEY_TOO_LONG: [400, 'A property key is longer than 256 characters.'],
  VALUE_TOO_LARGE: [400, 'A property value is larger than 10 KB (10,240 bytes).'],
  NOT_IN_APP_FEEDBACK: [
    400,
    'Only feedback on in-app campaigns is accepted (`event_type` impression, clicked or dismissed). Send application events to /v1/batch.',
  ],
  WAREHOUSE_REFUSED: [400, 'The warehouse rejected the row.'],

  ...CONTROL_PLANE_PROBLEMS,
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof TABLE;

export const PROBLEMS = Object.fromEntries(
  Object.entries(TABLE).map(([code, [status, title]]) => [code, { status, title }]),
) as Readonly<Record<ProblemCode, { readonly status: number; readonly title: string }>>;

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
