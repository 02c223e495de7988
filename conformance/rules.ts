// The rules of docs/sdk-protocol.md that the kit checks, each with the change that fixes a client.

export type Level = 'MUST' | 'SHOULD';

type Rule = {
  readonly level: Level;
  readonly change: string;
};

export const RULES = {
  envelope: must('Send {"batch": […], "sentAt": "…", "writeKey": "…"} as one JSON object.'),
  'media-type': must('Send Content-Type: application/json.'),
  encoding: must(
    'Compress the whole body as gzip, deflate, br or zstd, and name the encoding in Content-Encoding.',
  ),
  'batch-events': must('Put at most 100 events into a batch.'),
  'batch-bytes': must(
    'Count the bytes of the JSON text, and start a new batch before it exceeds 512,000 bytes.',
  ),
  'batches-filled': should('Send waiting events together, 50 to 100 in a batch.'),
  'required-fields': must(
    'Set type, messageId, timestamp, anonymousId and sessionId in each event, and also set event in each track event.',
  ),
  'call-kinds': must('Send each call as one event of its type with the values that were passed.'),
  'json-values': must(
    'Send values as JSON in UTF-8, without rounding, trimming or double escaping.',
  ),
  'message-id-unique': must('Create a new random messageId for each call.'),
  'message-id-kept': must(
    'Create the messageId when the call is made, and keep it with the event.',
  ),
  'content-kept': must('Send an event with the same content on each attempt.'),
  timestamp: must(
    'Set timestamp when the call is made. Use the clock of the device and the ISO 8601 format.',
  ),
  'sent-at': must('Set a new sentAt for each request, from the same clock as timestamp.'),
  'anonymous-id': must('Create one anonymousId per installation and store it.'),
  'session-id': must('Keep the sessionId until the session ends.'),
  'user-id': must('Add the userId from an identify() call to all later events.'),
  order: should('Send events in the order in which the calls were made.'),
  flush: must('Send all waiting events when flush() is called.'),
  delivered: must('Send the events of all calls.'),
  once: must('Create one event per call, and send it again only with its own messageId.'),
  acknowledged: must('Remove events from the queue after a 200 with status SUCCESS.'),
  'rejected-not-resent': must(
    'After a 400 with EVENTS_REJECTED, remove all events in the batch: the valid events are stored.',
  ),
  'refused-batch': must(
    'After a 400 for the whole batch, remove or split the batch; the same bytes will fail again.',
  ),
  'key-refused': must('If a batch gets a 401 or 403, do not resend its events with the same key.'),
  'stop-on-401': should('After a 401, stop using this key until the app starts again.'),
  'queue-goes-on': must('After a refused batch, continue with the events that follow.'),
  'split-on-413': must('After a 413, send the events in smaller batches.'),
  'event-too-large': must(
    'Drop an event that is too large even when sent on its own, and continue with the others.',
  ),
  'encoding-refused': must('After a 415, send the same events without compression.'),
  retry: must('Keep the events and send them again, with the same messageIds.'),
  'retry-after': must(
    'After a response with Retry-After, send nothing to /v1/batch for that many seconds.',
  ),
  backoff: must('Double the wait after each failure. Randomize at most half of it.'),
  'no-hammering': must('Make fewer attempts: wait longer between them.'),
  'keep-trying': must(
    'Do not limit the number of attempts; keep the events until they are stored.',
  ),
  'one-request-per-event': must('Wait until a request has ended before you send its events again.'),
  patience: must('Wait at least 5 s for a response.'),
  'time-out': must(
    'Abort a request if it gets no response within 30 s, and send its events again.',
  ),
  'answer-is-json': must(
    'Accept a 200 only if its body is JSON with status SUCCESS, and a 400, 401 or 403 only if its body is JSON with a code; otherwise, resend the events later.',
  ),
  'no-redirect': must('Do not follow redirects in response to POST /v1/batch.'),
  'close-flushes': must('Send all waiting events before close() returns.'),
  'close-ends': must(
    'Return from close() after at most a few seconds, and end all timers and connections.',
  ),
  persisted: must(
    'Write events to storage before you send them, and read them when the client starts.',
  ),
  'one-clock': must('Read timestamp and sentAt from the same clock.'),
  consent: must('Without consent, neither send nor keep events.'),
  'in-app-fetch': must('Fetch GET /v1/in-app/active with the key and X-User-ID.'),
  'feedback-route': must(
    'Send feedback on widgets to their ack path, and feedback on campaigns to /v1/in_app/events.',
  ),
  'feedback-key': must(
    'Create one idempotency_key for each display, and send the same key on each attempt.',
  ),
  'push-engagement': must(
    'Send the engagement with message_id, and do not report a failure to the app.',
  ),
  device: must('Send the platform of the token when you register or deactivate it.'),
} as const satisfies { readonly [id: string]: Rule };

export type RuleId = keyof typeof RULES;

function must(change: string): Rule {
  return { level: 'MUST', change };
}

function should(change: string): Rule {
  return { level: 'SHOULD', change };
}
