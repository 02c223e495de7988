// Requests that create a row of every table in a segment, with all kinds of values that a column
// may have. Never change them, because that would change the files. Add further requests for new
// cases.

const EVENT = '"anonymousId":"anonymous-1","sessionId":"session-1"';

/**
 * Two partitions, each type of event, all fields that are stored as sent, and two rejected events.
 */
export const BATCH = `{"sentAt":"2026-11-21T08:00:00+05:30","writeKey":"k","context":{"region":"in"},"integrations":{"All":true},"batch":[
{"type":"track","event":"Order Completed","messageId":"m-1","timestamp":"2026-11-21T02:29:59.123Z",${EVENT},"userId":"user-1","properties":{"total":12345678901234567890.10,"note":"größe \\u0041\\ud800 🚀","__proto__":{"a":[1,-0.0,1E400]}},"context":{"page": {"path" : "/p"}}},
{"type":"track","event":"注文完了","messageId":"m-2","timestamp":"2014-12-31T23:59:59",${EVENT}},
{"type":"identify","messageId":"m-3","timestamp":"2026-11-21T02:29:59.124Z",${EVENT},"userId":"user-1","traits":{"email":"person@example.com","score":9007199254740993}},
{"type":"page","name":"Über uns","messageId":"m-4","timestamp":"2025-06-01T00:00:00.000Z",${EVENT},"groupId":"g","nested":[{"x":null}]},
{"type":"screen","name":"Home","messageId":"m-5","timestamp":"2025-06-01T00:00:00.000Z",${EVENT}},
{"type":"group","messageId":"m-6","timestamp":"2026-11-21T02:29:59.125Z",${EVENT},"traits":{"plan":"pro"}},
{"type":"alias","messageId":"m-7","timestamp":"2026-11-21T02:29:59.126Z",${EVENT},"previousId":"before"},
{"type":"track","messageId":"m-8","timestamp":"2026-11-21T02:29:59.127Z",${EVENT},"properties":{"kept": "whole"}},
"no event"
]}`;

export const IN_APP_EVENT =
  '{"campaign_id":"campaign-1","event_type":"clicked","user_id":"user-1","anonymous_id":"device-1","platform":"web","idempotency_key":"key-1","variant_id":"b","button":"größe"}';

export const IN_APP_RESPONSE =
  '{"campaign_id":"campaign-1","response_type":"nps","platform":"ios","user_id":"user-1","payload":{"score":9.50,"text":"gern 🚀"},"idempotency_key":"key-1"}';

export const PUSH_ENGAGEMENT =
  '{"event_type":"push.clicked","platform":"ios","campaign_id":"campaign-1","message_id":"push-1","user_id":"user-1","contact_id":"contact-1","metadata":{"deep": "link"}}';

export const SEND_AUDIT = {
  send_id: '01900000-0000-7000-8000-00000000d001',
  template_id: '01900000-0000-7000-8000-00000000d002',
  version_id: '01900000-0000-7000-8000-00000000d003',
  version_number: 4_000_000_000,
  channel: 'sms',
  language: 'hi',
  reason: 'pinned',
  user_id: 'user-1',
  sent_at: '2026-11-21T02:30:00.000Z',
  received_at: '2026-11-21T02:30:00.250Z',
};
