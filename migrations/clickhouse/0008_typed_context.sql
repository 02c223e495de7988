-- What analysts group by most is cheaper to read (docs/questions.md has the figures):
--
-- - Four keys of context have a column of their own. Days stored earlier compute it from the text at each
--   query until ClickHouse rewrites them (ALTER TABLE events_raw MATERIALIZE COLUMN os_name does that).
-- - event is a dictionary per part instead of a text per row. ClickHouse rewrites this column of all stored
--   events, which takes about a second per million events. Reading and inserting go on meanwhile.
-- - T64 stores times in fewer bytes than Delta with ZSTD and is faster to read. Stored days keep what they have.
--
-- On a cluster, the view computes the four from the text.

ALTER TABLE events_raw${ON_CLUSTER}
    ADD COLUMN IF NOT EXISTS os_name LowCardinality(String) MATERIALIZED JSONExtractString(context, 'os', 'name') COMMENT 'context.os.name; empty when absent',
    ADD COLUMN IF NOT EXISTS app_version LowCardinality(String) MATERIALIZED JSONExtractString(context, 'app', 'version') COMMENT 'context.app.version; empty when absent',
    ADD COLUMN IF NOT EXISTS campaign_source LowCardinality(String) MATERIALIZED JSONExtractString(context, 'campaign', 'source') COMMENT 'context.campaign.source; empty when absent',
    ADD COLUMN IF NOT EXISTS campaign_name LowCardinality(String) MATERIALIZED JSONExtractString(context, 'campaign', 'name') COMMENT 'context.campaign.name; empty when absent',
    MODIFY COLUMN event LowCardinality(String) CODEC(LZ4),
    MODIFY COLUMN timestamp CODEC(T64, LZ4),
    MODIFY COLUMN sent_at CODEC(T64, LZ4),
    MODIFY COLUMN received_at CODEC(T64, LZ4),
    MODIFY COLUMN corrected_at CODEC(T64, LZ4);

ALTER TABLE events_late${ON_CLUSTER}
    ADD COLUMN IF NOT EXISTS os_name LowCardinality(String) MATERIALIZED JSONExtractString(context, 'os', 'name') COMMENT 'context.os.name; empty when absent',
    ADD COLUMN IF NOT EXISTS app_version LowCardinality(String) MATERIALIZED JSONExtractString(context, 'app', 'version') COMMENT 'context.app.version; empty when absent',
    ADD COLUMN IF NOT EXISTS campaign_source LowCardinality(String) MATERIALIZED JSONExtractString(context, 'campaign', 'source') COMMENT 'context.campaign.source; empty when absent',
    ADD COLUMN IF NOT EXISTS campaign_name LowCardinality(String) MATERIALIZED JSONExtractString(context, 'campaign', 'name') COMMENT 'context.campaign.name; empty when absent',
    MODIFY COLUMN event LowCardinality(String) CODEC(LZ4),
    MODIFY COLUMN timestamp CODEC(T64, LZ4),
    MODIFY COLUMN sent_at CODEC(T64, LZ4),
    MODIFY COLUMN received_at CODEC(T64, LZ4),
    MODIFY COLUMN corrected_at CODEC(T64, LZ4);

-- @cluster
ALTER TABLE events_raw_all${ON_CLUSTER} MODIFY COLUMN event LowCardinality(String);
ALTER TABLE events_late_all${ON_CLUSTER} MODIFY COLUMN event LowCardinality(String);

CREATE OR REPLACE VIEW events${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra,
       cityHash64(if(user_id != '', user_id, anonymous_id)) AS person,
       toLowCardinality(JSONExtractString(context, 'os', 'name')) AS os_name,
       toLowCardinality(JSONExtractString(context, 'app', 'version')) AS app_version,
       toLowCardinality(JSONExtractString(context, 'campaign', 'source')) AS campaign_source,
       toLowCardinality(JSONExtractString(context, 'campaign', 'name')) AS campaign_name
FROM events_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, toDate(timestamp), event, message_id
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Each event once. Filter by workspace_id, a range of timestamp and event: that is the sort order.';
-- @end

-- The views of 0007_settled_days.sql with the new columns. They compare the timestamp itself with the end of the
-- last settled day: its day would have to be computed for each row.
-- @single
CREATE OR REPLACE VIEW events_open AS
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra,
       person, os_name, app_version, campaign_source, campaign_name
FROM events_raw FINAL
WHERE lane = 0
  AND timestamp >= toDateTime64(addDays((SELECT record FROM events_settled).2, 1), 3, 'UTC')
  AND (workspace_id, toDate(timestamp), event, message_id) NOT IN (
      SELECT workspace_id, toDate(timestamp), event, message_id FROM events_late
      WHERE timestamp >= toDateTime64(addDays((SELECT record FROM events_settled).2, 1), 3, 'UTC')
        AND turn <= (SELECT record FROM events_settled).1)
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'The part of events whose days are not settled yet. Read the view events instead.';

CREATE OR REPLACE VIEW events_arriving AS
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra,
       person, os_name, app_version, campaign_source, campaign_name
FROM events_raw
WHERE lane >= greatest(1, intDiv(toUnixTimestamp64Milli((SELECT record FROM events_settled).3), 3600000))
  AND inserted_at > (SELECT record FROM events_settled).3
  AND (workspace_id, toDate(timestamp), event, message_id) NOT IN (
      SELECT workspace_id, toDate(timestamp), event, message_id FROM events_raw
      WHERE lane = 0
        AND (workspace_id, toDate(timestamp), event, message_id) IN (
            SELECT workspace_id, toDate(timestamp), event, message_id FROM events_raw
            WHERE lane >= greatest(1, intDiv(toUnixTimestamp64Milli((SELECT record FROM events_settled).3), 3600000))
              AND inserted_at > (SELECT record FROM events_settled).3))
  AND (workspace_id, toDate(timestamp), event, message_id) NOT IN (
      SELECT workspace_id, toDate(timestamp), event, message_id FROM events_late
      WHERE turn <= (SELECT record FROM events_settled).1
        AND (workspace_id, toDate(timestamp), event, message_id) IN (
            SELECT workspace_id, toDate(timestamp), event, message_id FROM events_raw
            WHERE lane >= greatest(1, intDiv(toUnixTimestamp64Milli((SELECT record FROM events_settled).3), 3600000))
              AND inserted_at > (SELECT record FROM events_settled).3))
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, toDate(timestamp), event, message_id
COMMENT 'The part of events that arrived late a moment ago. Read the view events instead.';

CREATE OR REPLACE VIEW events AS
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra,
       person, os_name, app_version, campaign_source, campaign_name
FROM events_raw
WHERE lane = 0 AND timestamp < toDateTime64(addDays((SELECT record FROM events_settled).2, 1), 3, 'UTC')
UNION ALL
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra,
       person, os_name, app_version, campaign_source, campaign_name
FROM events_late
WHERE turn <= (SELECT record FROM events_settled).1
UNION ALL
SELECT * FROM events_open
UNION ALL
SELECT * FROM events_arriving
COMMENT 'Each event once. Filter by workspace_id, a range of timestamp and event: that is the sort order. person counts people quickly.';
-- @end
