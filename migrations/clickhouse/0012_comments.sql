-- Plainer comments of tables and columns, some of which were incomplete; analysts read them in docs/tables.md and in
-- their tools.

ALTER TABLE activity_cards${ON_CLUSTER}
    MODIFY COMMENT 'The activity feed, one row per card. Filter by workspace_id and user_id.';

ALTER TABLE delivery_links${ON_CLUSTER}
    MODIFY COMMENT 'A report without a user ID is stored under a delivery ID that is derived from its contact ID or anonymous ID. Each row maps such an ID to the ID of the person''s delivery, under which the deliveries view shows the report. Filter by workspace_id.';

ALTER TABLE event_id_collisions${ON_CLUSTER}
    MODIFY COMMENT 'Message IDs that were reused for different content on another day or under another event name. If the day and the event name are the same, only the first copy is stored. Filter by workspace_id.';

ALTER TABLE events${ON_CLUSTER}
    MODIFY COMMENT 'One row per event. Filter by workspace_id, a timestamp range and event, because the rows are sorted by these columns in this order. To count people quickly, count the distinct values of person.';

ALTER TABLE events_arriving${ON_CLUSTER}
    MODIFY COMMENT 'The late events that are not in events_late yet. Query the events view instead.';

ALTER TABLE events_open${ON_CLUSTER}
    MODIFY COMMENT 'The events of days that are not settled yet. Query the events view instead.';

ALTER TABLE events_stitched${ON_CLUSTER}
    MODIFY COMMENT 'The events view with the additional column stitched_id: the first non-empty value of user_id, the user ID in the device''s latest identify event, and anonymous_id. Filter by workspace_id and a timestamp range.';

ALTER TABLE in_app_events${ON_CLUSTER}
    MODIFY COMMENT 'One row per report on an in-app campaign or widget. Filter by workspace_id and campaign_id.';

ALTER TABLE in_app_responses${ON_CLUSTER}
    MODIFY COMMENT 'One row per response to an in-app campaign or widget. Filter by workspace_id and campaign_id.';

ALTER TABLE nps_by_day${ON_CLUSTER}
    MODIFY COMMENT 'The net promoter score by day (UTC). Promoters give a score of 9 or 10, detractors a score of 0 to 6. Filter by workspace_id and campaign_id.';

ALTER TABLE push_funnel${ON_CLUSTER}
    MODIFY COMMENT 'How many pushes reached a person, were clicked or were dismissed, by platform, campaign and day (UTC). A push counts on the day on which the furthest status of its delivery was reported. Filter by workspace_id.';

ALTER TABLE rejected_events${ON_CLUSTER}
    MODIFY COMMENT 'One row per rejected event. Filter by workspace_id and code.';

ALTER TABLE rejected_events_by_hash${ON_CLUSTER}
    MODIFY COMMENT 'The rejected_events view with the additional column body_hash. Together with workspace_id, code and endpoint, this hash identifies a rejected event.';

ALTER TABLE activity_cards_raw${ON_CLUSTER}
    COMMENT COLUMN card_id 'Derived from the event that the card shows, so that a repeated card has the same ID',
    COMMENT COLUMN channel 'push, payment or, for a send of a journey, messaging_app, sms or email',
    COMMENT COLUMN user_id 'The application user ID or, if there is none, the contact ID; empty if the person is unknown',
    COMMENT COLUMN received_at 'When the event was reported, according to our clock',
    COMMENT COLUMN precedence 'Deduplication keeps the copy with the highest value, which is the one received first',
    MODIFY COMMENT 'Every stored copy of every card. Query the activity_cards view instead.';

ALTER TABLE deliveries_raw${ON_CLUSTER}
    COMMENT COLUMN sdk_key_id 'The SDK key that authenticated the report; all zeros if the control plane wrote the row',
    COMMENT COLUMN channel 'push or payment',
    COMMENT COLUMN delivery_id 'For a push, derived from the workspace, the property, message_id and the person; if message_id is empty, each report is a separate delivery',
    COMMENT COLUMN status 'The furthest status of the delivery; for a push: shown, dismissed or clicked',
    COMMENT COLUMN platform 'web, ios or android; empty for payments',
    COMMENT COLUMN user_id 'The application user ID or, if there is none, the contact ID; empty if the person is unknown',
    COMMENT COLUMN extra 'A JSON object with all fields of the report that have no column of their own; empty if there are none',
    COMMENT COLUMN received_at 'When the report arrived, according to our clock',
    COMMENT COLUMN precedence 'Deduplication keeps the copy with the highest value: the one with the highest rank or, if several copies have this rank, the one received first',
    MODIFY COMMENT 'The stored reports on deliveries, possibly several per delivery. Query the deliveries view instead: it shows one row per delivery.';

ALTER TABLE delivery_links_raw${ON_CLUSTER}
    COMMENT COLUMN delivery_id 'The delivery ID under which reports without a user ID are stored',
    COMMENT COLUMN person_delivery_id 'The ID of the person''s delivery to which these reports belong',
    COMMENT COLUMN rank '2 if the report that created the link contains a user ID; 1 if it does not, so that its contact ID identifies the person',
    COMMENT COLUMN received_at 'When the report that created the link arrived, according to our clock',
    COMMENT COLUMN precedence 'Deduplication keeps the copy with the highest value: the one with the highest rank or, if several copies have this rank, the one received first',
    MODIFY COMMENT 'Every stored copy of every link. Query the delivery_links view instead.';

ALTER TABLE events_late${ON_CLUSTER}
    COMMENT COLUMN timestamp 'When the event occurred, according to the client''s clock; not corrected',
    COMMENT COLUMN sent_at 'When the SDK sent the batch, according to the client''s clock',
    COMMENT COLUMN received_at 'When the batch arrived, according to our clock',
    COMMENT COLUMN extra 'A JSON object with all fields of the event that have no column of their own; empty if there are none',
    COMMENT COLUMN batch_context 'The JSON text of the batch''s context (for example, region and endpoint); empty if absent',
    COMMENT COLUMN batch_extra 'A JSON object with all fields of the batch that have no column of their own; empty if there are none',
    COMMENT COLUMN precedence 'Deduplication keeps the copy with the highest value, which is the one received first',
    COMMENT COLUMN turn 'The run that moved the row here (turn in events_settling). The events view uses the row as soon as it uses the result of that run or of a later one',
    MODIFY COMMENT 'The events that arrived after their day was closed, one row per event. Query the events view instead.';

ALTER TABLE events_raw${ON_CLUSTER}
    COMMENT COLUMN timestamp 'When the event occurred, according to the client''s clock; not corrected',
    COMMENT COLUMN sent_at 'When the SDK sent the batch, according to the client''s clock',
    COMMENT COLUMN received_at 'When the batch arrived, according to our clock',
    COMMENT COLUMN extra 'A JSON object with all fields of the event that have no column of their own; empty if there are none',
    COMMENT COLUMN batch_context 'The JSON text of the batch''s context (for example, region and endpoint); empty if absent',
    COMMENT COLUMN batch_extra 'A JSON object with all fields of the batch that have no column of their own; empty if there are none',
    COMMENT COLUMN precedence 'Deduplication keeps the copy with the highest value, which is the one received first',
    MODIFY COMMENT 'Every stored copy of every event. Query the events view instead: it shows each event once.';

ALTER TABLE events_settling${ON_CLUSTER}
    COMMENT COLUMN node 'The ingest process that performs the run',
    COMMENT COLUMN settled_until 'All days up to and including this one are settled',
    COMMENT COLUMN valid_from 'The time from which the events view uses the row; in the row that is written at the start of a run, a time in 2100, so that the view does not use it',
    MODIFY COMMENT 'The progress of settling. The events view uses the newest valid row.';

ALTER TABLE in_app_events_raw${ON_CLUSTER}
    COMMENT COLUMN event_type 'impression, clicked or dismissed; for widgets of a journey, also served',
    COMMENT COLUMN event_key 'idempotency_key as sent or, if there is none, a generated ID; for widgets of a journey, the ID of the step execution',
    COMMENT COLUMN extra 'A JSON object with all fields of the report that have no column of their own; empty if there are none',
    COMMENT COLUMN received_at 'When the report arrived, according to our clock',
    COMMENT COLUMN precedence 'Deduplication keeps the copy with the highest value, which is the one received first',
    MODIFY COMMENT 'Every stored copy of every report. Query the in_app_events view instead: it shows each report once.';

ALTER TABLE in_app_responses_raw${ON_CLUSTER}
    COMMENT COLUMN response_key 'All copies of a repeated response have the same key',
    COMMENT COLUMN extra 'A JSON object with all fields of the response that have no column of their own; empty if there are none',
    COMMENT COLUMN received_at 'When the response arrived, according to our clock',
    COMMENT COLUMN precedence 'Deduplication keeps the copy with the highest value, which is the one received first',
    MODIFY COMMENT 'Every stored copy of every response. Query the in_app_responses view instead.';

ALTER TABLE rejected_events_raw${ON_CLUSTER}
    COMMENT COLUMN endpoint 'The path to which the event was posted; for the code WAREHOUSE_REFUSED, the name of the table for which the row was meant',
    COMMENT COLUMN code 'The reason as a stable code',
    COMMENT COLUMN body 'The JSON text of the event exactly as sent; for the code WAREHOUSE_REFUSED, the row that ClickHouse rejected, as a JSON object',
    COMMENT COLUMN batch_context 'The JSON text of the batch''s context; empty if absent',
    COMMENT COLUMN received_at 'When the batch arrived, according to our clock',
    COMMENT COLUMN body_hash 'A hash of body; together with workspace_id, code and endpoint, it identifies the rejected event',
    COMMENT COLUMN precedence 'Deduplication keeps the copy with the highest value, which is the one received first',
    MODIFY COMMENT 'Every stored copy of every rejected event, in full and with the reason. Query the rejected_events view instead.';

ALTER TABLE send_audits_raw${ON_CLUSTER}
    COMMENT COLUMN send_id 'Derived from the enrolment and the node, so that a repeated send has the same ID',
    COMMENT COLUMN version_number 'The number of the version; the versions of each template, channel and language are numbered separately',
    COMMENT COLUMN received_at 'When the row was written, according to our clock',
    COMMENT COLUMN precedence 'Deduplication keeps the copy with the highest value, which is the one received first',
    MODIFY COMMENT 'Every stored copy of every send audit. Query the send_audits view instead.';
