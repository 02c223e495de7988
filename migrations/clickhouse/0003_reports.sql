-- For reports that list refused events: by which one is which, without reading them whole.

CREATE VIEW IF NOT EXISTS rejected_events_by_hash${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, endpoint, code, message, message_id, batch_index, body, body_hash,
       sent_at_text, batch_context, received_at
-- @single
FROM rejected_events_raw FINAL
-- @end
-- @cluster
FROM rejected_events_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, code, endpoint, body_hash
-- @end
COMMENT 'rejected_events with body_hash, which with workspace_id, code and endpoint names one.';
