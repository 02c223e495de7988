-- The events of a device before somebody signed in on it belong to that person (docs/analysts.md, "People").

CREATE OR REPLACE VIEW identified_devices${ON_CLUSTER} AS
SELECT workspace_id, anonymous_id,
       argMax(identified.user_id, (received_at, identified.user_id)) AS user_id, max(received_at) AS identified_at
FROM events AS identified
WHERE type = 'identify' AND identified.user_id != '' AND anonymous_id != ''
GROUP BY workspace_id, anonymous_id
COMMENT 'Each anonymous ID with the user ID of the latest identify event that has both. Filter by workspace_id.';

CREATE OR REPLACE VIEW events_stitched${ON_CLUSTER} AS
SELECT event_once.*,
       multiIf(event_once.user_id != '', event_once.user_id,
               device.user_id != '', device.user_id,
               event_once.anonymous_id) AS stitched_id
FROM events AS event_once
LEFT JOIN identified_devices AS device
    ON device.workspace_id = event_once.workspace_id AND device.anonymous_id = event_once.anonymous_id
COMMENT 'events, with stitched_id: user_id, or who was identified on the device later or before, or anonymous_id. Filter by workspace_id and a range of timestamp.';
