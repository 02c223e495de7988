/** The errors of the control plane; part of the table in `problem.ts`. */
export const CONTROL_PLANE_PROBLEMS = {
  BAD_USER_INPUT: [400, 'An input is malformed or has the wrong type.'],
  INVALID_ID: [400, 'The ID is unknown or malformed.'],
  INVALID_PAGE: [
    400,
    'Request 1 to 100 items per page, and use only a cursor that an earlier page returned.',
  ],
  INVALID_RANGE: [
    400,
    'The time range must end after it starts and must not exceed the maximum length.',
  ],
  INVALID_IDEMPOTENCY_KEY: [
    400,
    'An idempotency key must have 1 to 255 printable ASCII characters.',
  ],
  MAX_COST_EXCEEDED: [
    400,
    'The query exceeds the maximum query cost. Select fewer fields or items.',
  ],
  WORKSPACE_REQUIRED: [
    400,
    'The organization has no workspace, or it has more than one. Create the first workspace, or specify a workspace in the X-Workspace-ID header.',
  ],
  UNAUTHENTICATED: [401, 'Send a valid bearer token in the Authorization header.'],
  FORBIDDEN: [403, 'Your roles do not allow this action.'],
  ORGANIZATION_CLOSED: [403, 'The organization is closed.'],
  WORKSPACE_FORBIDDEN: [403, 'Your organization has no workspace with this ID.'],
  IDEMPOTENCY_IN_PROGRESS: [
    409,
    'A request with this idempotency key is still in progress. Retry later.',
  ],
  IDEMPOTENCY_KEY_MISMATCH: [
    422,
    'This idempotency key was already used with a different input. Use a new key.',
  ],
  SDK_KEY_ENDED: [409, 'The SDK key is revoked or expired. Create a new SDK key.'],
  SDK_KEY_ROTATED: [409, 'The SDK key has already been rotated. Rotate its successor instead.'],
  CELL_EXISTS: [409, 'A cell with this slug already exists.'],
  CELL_MOVE_EXISTS: [409, 'The workspace already has an unfinished move.'],
  CELL_MOVE_STATE: [409, 'The state of the move does not allow this action.'],
  NO_CELL: [422, 'No cell in this region accepts new workspaces. Choose another region.'],
  TOO_MANY_PROPERTIES: [422, 'The workspace has reached its maximum number of properties.'],
  TOO_MANY_WORKSPACES: [422, 'The organization has reached its maximum number of workspaces.'],
  TOO_MANY_SDK_KEYS: [
    422,
    'The workspace has reached its maximum number of active SDK keys. Revoke a key first.',
  ],
  TOO_MANY_ANALYST_LOGINS: [
    422,
    'The workspace has reached its maximum number of analyst logins. Revoke a login first.',
  ],
  TOO_MANY_REVOKED_SUBJECTS: [
    422,
    'The organization has reached its maximum number of revoked users. Restore a user’s access first.',
  ],
  REPORT_TOO_LARGE: [
    422,
    'The report would read too much data. Shorten the time range or add filters.',
  ],
  REPORT_UNAVAILABLE: [
    503,
    'This workspace’s warehouse is not available for reports. Retry later.',
  ],
  CAMPAIGN_CHANGED: [
    409,
    'The campaign was changed by another request. Fetch the current version and try again.',
  ],
  CAMPAIGN_STATUS: [409, 'The status of the campaign does not allow this action.'],
  CAMPAIGN_INCOMPLETE: [422, 'The campaign is incomplete and cannot be shown.'],
  CAMPAIGN_TOO_LARGE: [
    422,
    'The content, variants and audience together must not exceed 262,144 bytes.',
  ],
  TOO_MANY_CAMPAIGNS: [422, 'The workspace has reached its maximum number of campaigns.'],
  TOO_MANY_LIVE_CAMPAIGNS: [
    422,
    'The workspace has reached its maximum number of live campaigns. Pause a campaign first.',
  ],
  TRAITS_TOO_LARGE: [
    422,
    'With this change, the contact’s traits would exceed 65,536 bytes. Remove some traits first.',
  ],
  TOO_MANY_REPLAYS: [
    422,
    'The workspace has reached its maximum number of unfinished replays. Retry after a replay has finished.',
  ],
  JOB_UNKNOWN: [409, 'This job no longer exists.'],
  TOO_MANY_CONSENTS: [422, 'The contact has reached its maximum number of consent purposes.'],
  TOO_MANY_LIVE_VIEWS: [
    429,
    'The workspace has reached its maximum number of live views. Close a live view first.',
  ],
  THROTTLED: [
    429,
    'The rate limit was exceeded. Retry after the number of seconds in Retry-After.',
  ],
  INTERNAL_SERVER_ERROR: [500, 'Something went wrong on our side.'],

  // The partner program
  REFERRAL_CODE_UNKNOWN: [422, 'No organization has this referral code.'],
  SELF_REFERRAL: [422, 'An organization cannot refer itself or the organization that referred it.'],
  ATTRIBUTION_CLOSED: [
    409,
    'An organization that has already made a payment cannot be attributed to a referrer.',
  ],
  CREDIT_STATUS: [409, 'Only held credits can be rescheduled.'],
  REGION_FIXED: [409, 'The region of an organization that has a wallet cannot be changed.'],
  RECORDED_BY_GATEWAY: [
    403,
    'In production, payments, refunds and disputes are recorded only from gateway events.',
  ],
  UPGRADE_NOT_ELIGIBLE: [
    403,
    'The organization does not have enough active referrals to become an affiliate.',
  ],
  AFFILIATE_PROFILE_REQUIRED: [
    409,
    'The organization is not an affiliate. Upgrade it to an affiliate first.',
  ],
  KYC_STATUS: [409, 'The state of the KYC review does not allow this action.'],
  NOT_AGENCY: [403, 'The organization is not an agency.'],
  RESELLER_AGREEMENT_REQUIRED: [403, 'Registering deals requires a signed reseller agreement.'],
  PROSPECT_NOT_ALLOWED: [422, 'This domain cannot be registered as a prospect.'],
  DEAL_LOCKED: [409, 'Another agency has registered this domain.'],
  DEAL_ALREADY_REGISTERED: [409, 'Your agency has already registered this domain.'],
  TOO_MANY_DEALS: [
    422,
    'The agency has reached its maximum number of open deals. Close a deal first.',
  ],
  DEAL_STATUS: [409, 'The status of the deal does not allow this action.'],
  PROOF_DEADLINE_PASSED: [409, 'The deadline for submitting proof has passed.'],
  KYC_NOT_APPROVED: [403, 'The organization’s KYC is not approved.'],
  PAYOUT_STATUS: [409, 'The status of the payout does not allow this action.'],
  INVOICE_ALREADY_REGISTERED: [
    409,
    'An invoice with this ID is already registered with different values.',
  ],
  PAYMENT_MISMATCH: [
    422,
    'This payment, refund or dispute has already been recorded with different values.',
  ],
  PASSTHROUGH_INVOICE: [
    422,
    'Credits cannot be used to pay an invoice for passthrough channel costs.',
  ],
  INVOICE_MISMATCH: [422, 'The invoice is registered with a different total or currency.'],
  REDEMPTION_CAP_EXCEEDED: [
    422,
    'Together, all redemptions for an invoice can cover at most half of the invoice.',
  ],
  INSUFFICIENT_BALANCE: [422, 'The amount exceeds the balance.'],
  BELOW_MIN_THRESHOLD: [422, 'The amount is below the minimum payout.'],
  NET30_GUARDRAIL: [
    422,
    'The amount exceeds the cash that has been held long enough to be paid out.',
  ],

  // Calls to the payment gateway
  GATEWAY_NOT_CONFIGURED: [
    409,
    'The merchant account has no payment gateway credentials. Set them first.',
  ],
  GATEWAY_REFUSED: [422, 'The payment gateway rejected the request. Nothing was changed.'],
  GATEWAY_DENIED: [422, 'The payment gateway rejected the credentials. Nothing was changed.'],
  GATEWAY_BUSY: [
    429,
    'A rate limit for calls to the payment gateway was exceeded. Retry later with the same idempotency key.',
  ],
  GATEWAY_UNAVAILABLE: [
    503,
    'The payment gateway did not return a valid response, so the outcome is unknown. Retry with the same idempotency key; the operation is never performed twice.',
  ],
  GATEWAY_STATUS: [409, 'The status of the object does not allow this action.'],
  PAYMENT_NOT_REFUNDABLE: [422, 'Only a successful payment can be refunded.'],
  REFUND_EXCEEDS_PAYMENT: [
    422,
    'The refunds of a payment cannot add up to more than the amount paid.',
  ],

  // Payment gateway webhooks and the credentials that verify them
  INVALID_SIGNATURE: [
    401,
    'The signature matches no known secret. For a workspace with its own merchant account, the webhook URL must contain `?workspace_id=` followed by the workspace’s ID. Otherwise, events about objects that this service did not create are verified only with the platform’s secrets.',
  ],
  GATEWAY_CREDENTIALS_CHANGED: [
    409,
    'The credentials were changed by another request. Fetch the current version and try again.',
  ],

  // Segments
  SEGMENT_CHANGED: [
    409,
    'The segment was changed by another request. Fetch the current version and try again.',
  ],
  SEGMENT_ARCHIVED: [409, 'The segment is archived.'],
  SEGMENT_IN_USE: [
    409,
    'A live campaign or an active journey uses the segment. Pause the campaign or journey first, or remove the segment from it.',
  ],
  SEGMENT_NOT_READY: [
    409,
    'The segment has not been evaluated yet. Evaluation takes a few seconds; if it takes longer, check the segment’s `fault`.',
  ],
  SEGMENT_TOO_LARGE: [
    422,
    'More than 100,000 people match the conditions on events. Use more restrictive conditions.',
  ],
  TOO_MANY_SEGMENTS: [
    422,
    'The workspace has reached its maximum number of segments. Archive a segment first.',
  ],

  // Exports
  EXPORT_CHANGED: [
    409,
    'The chunk’s events have changed since they were counted: some arrived late or were deleted. Request a new export.',
  ],
  EXPORT_TOO_LARGE: [
    422,
    'The export would contain more than 100,000,000 events. Request a shorter time range.',
  ],
  TOO_MANY_EXPORTS: [
    422,
    'The workspace has reached its maximum number of exports. Delete an export first.',
  ],

  // Journeys and the pins of their enrolments
  JOURNEY_CHANGED: [
    409,
    'The journey was changed by another request. Fetch the current version and try again.',
  ],
  JOURNEY_STATUS: [409, 'The status of the journey does not allow this action.'],
  JOURNEY_INCOMPLETE: [
    422,
    'A send node has no version that can be sent. Activate a version of its template first.',
  ],
  JOURNEY_TOO_LARGE: [422, 'The journey’s nodes must not exceed 262,144 bytes of JSON.'],
  TOO_MANY_JOURNEYS: [422, 'The workspace has reached its maximum number of journeys.'],
  ENROLMENT_ENDED: [409, 'The enrolment has already ended.'],
  NOT_PINNED: [409, 'The enrolment has no pinned version at this node.'],
  VERSION_NOT_SENDABLE: [
    409,
    'The version cannot be sent: it is not approved, or its channel currently rejects it.',
  ],
  VERSION_OF_ANOTHER_NODE: [
    422,
    'The version must match the template, channel and language of the node.',
  ],
  TEMPLATE_PINNED: [
    409,
    'Enrolments in flight are pinned to versions of the template. Archive their journeys or end these enrolments first.',
  ],

  // Templates and their versions
  TEMPLATE_ARCHIVED: [409, 'The template is archived and cannot be changed.'],
  TEMPLATE_CHANGED: [
    409,
    'The template or version was changed by another request. Fetch its current state and try again.',
  ],
  TEMPLATE_VERSION_STATE: [409, 'The state of the version does not allow this action.'],
  TEMPLATE_NOT_SUBMITTABLE: [
    422,
    'The channel does not accept this message. Fix the reported issues and submit it again.',
  ],
  TEMPLATE_SUBMISSION_DECIDED: [
    409,
    'The submission is no longer pending. Fetch its current state.',
  ],
  TEMPLATE_SYNC_TOO_SOON: [429, 'The last sync was a moment ago. Try again in a few seconds.'],
  TOO_MANY_TEMPLATES: [422, 'The maximum number of templates has been reached.'],
  TOO_MANY_TEMPLATE_VERSIONS: [422, 'The template has reached its maximum number of versions.'],

  // Webhook endpoints and their deliveries
  WEBHOOK_URL_REFUSED: [422, 'The URL must use https on port 443 and a publicly reachable host.'],
  WEBHOOK_ENDPOINT_CHANGED: [
    409,
    'The endpoint was changed by another request. Fetch the current version and try again.',
  ],
  WEBHOOK_ENDPOINT_DISABLED: [409, 'The endpoint is disabled. Enable it first.'],
  WEBHOOK_DELIVERY_NOT_REPLAYABLE: [
    409,
    'At least one of the deliveries is a test or is currently being sent. No delivery was replayed.',
  ],
  TOO_MANY_WEBHOOK_ENDPOINTS: [
    422,
    'The workspace has reached its maximum number of webhook endpoints. Delete an endpoint first.',
  ],
  PERSON_AMBIGUOUS: [
    409,
    'Several people used the device with this anonymous ID. Specify one of them by user ID.',
  ],
  PERSON_TOO_LARGE: [
    422,
    'The footprint has more than 1,000 IDs, which is too many for one person.',
  ],
  CONFIRMATION_MISMATCH: [
    409,
    'The confirmation does not match. To erase or export a person’s data, query the footprint again, and send its IDs and confirmation unchanged.',
  ],
  TOO_MANY_ERASURES: [
    422,
    'The workspace has reached its maximum number of pending erasures. Retry after an erasure has finished.',
  ],
} as const;
