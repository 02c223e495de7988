// Which columns decide the shard of a row, so that all copies of an event are in the same shard. Every copy has the
// same values in these columns, and they are part of the sort key of their table.

/** The value of the first column that is not empty. */
type OneOf = readonly string[];

/** By the name of the table. */
export const SHARD_KEYS: Readonly<Record<string, readonly OneOf[]>> = {
  events_raw: [['message_id']],
  rejected_events_raw: [['body']],
  // Many devices send the same key, so the rows are spread by person.
  in_app_events_raw: [['event_key'], ['user_id', 'anonymous_id']],
  in_app_responses_raw: [['response_key'], ['user_id', 'contact_id']],
  deliveries_raw: [['delivery_id']],
  delivery_links_raw: [['delivery_id']],
  activity_cards_raw: [['card_id']],
  send_audits_raw: [['send_id']],
};
