-- On a cluster, each shard gets the tables and views that a single node has since 0007_settled_days.sql, and ingest
-- settles the days of each shard by themselves. The shard of an event is CRC32(message_id) modulo the number of
-- shards (ingest/insert/shard-of-row.ts), so all copies of an event and all uses of a message ID are in one shard:
-- `events` puts the views of the shards together and compares no rows of different shards.
--
-- Earlier, a block went to any one shard. So the table is made anew, exchanged with the one in use, and given the
-- rows stored so far, each in its shard. Until that is done, the view lacks some of them. The file may be applied
-- again from its start, as 0007_settled_days.sql explains.
--
-- A single node keeps its tables. Its views are replaced by equal ones, so that both have the same text from here on.

-- @cluster
CREATE TABLE IF NOT EXISTS events_raw_beside${ON_CLUSTER} AS events_raw;

INSERT INTO FUNCTION cluster(${CLUSTER}, currentDatabase(), 'events_raw', CRC32(message_id))
    (workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row, inserted_at)
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row,
       if(toUnixTimestamp64Milli(received_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000, now64(3), received_at)
FROM cluster(${CLUSTER}, currentDatabase(), 'events_raw_beside')
SETTINGS max_partitions_per_insert_block = 0;

DROP TABLE events_raw_beside${ON_CLUSTER};

CREATE TABLE events_raw_beside${ON_CLUSTER} AS events_raw
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PARTITION BY (lane, if(lane = 0, toYYYYMMDD(timestamp), 0))
ORDER BY (workspace_id, toDate(timestamp), event, message_id)
SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 1024,
         max_bytes_to_merge_at_max_space_in_pool = 104857600
COMMENT 'Every stored copy of every event. Read events instead: it shows each event once.';

-- As on a single node.
ALTER TABLE events_raw_beside${ON_CLUSTER} MODIFY COLUMN lane UInt32 MATERIALIZED
    if(toUnixTimestamp64Milli(received_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000
       OR intDiv(toUnixTimestamp64Milli(timestamp), 86400000) > intDiv(toUnixTimestamp64Milli(received_at), 86400000) + 1
       OR toUnixTimestamp64Milli(inserted_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000,
       intDiv(toUnixTimestamp64Milli(inserted_at), 3600000), 0) COMMENT '0 for an on-time event; else the hour in which the row was inserted, in hours since 1970';

EXCHANGE TABLES events_raw AND events_raw_beside${ON_CLUSTER};

-- Waits only where there are inserts into it; a block of one row sleeps half a second.
SELECT max(sleepEachRow(0.5)) FROM numbers(120)
WHERE (SELECT count() FROM clusterAllReplicas(${CLUSTER}, system.processes) WHERE query_kind = 'Insert' AND current_database = currentDatabase()
           AND position(query, 'events_raw') > 0) > 0
SETTINGS max_block_size = 1;

INSERT INTO FUNCTION cluster(${CLUSTER}, currentDatabase(), 'events_raw', CRC32(message_id))
    (workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row, inserted_at)
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row,
       if(toUnixTimestamp64Milli(received_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000, now64(3), received_at)
FROM cluster(${CLUSTER}, currentDatabase(), 'events_raw_beside')
SETTINGS max_partitions_per_insert_block = 0;

DROP TABLE events_raw_beside${ON_CLUSTER};

ALTER TABLE events_late${ON_CLUSTER} MODIFY COLUMN lane UInt32 MATERIALIZED
    if(toUnixTimestamp64Milli(received_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000
       OR intDiv(toUnixTimestamp64Milli(timestamp), 86400000) > intDiv(toUnixTimestamp64Milli(received_at), 86400000) + 1
       OR toUnixTimestamp64Milli(inserted_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000,
       intDiv(toUnixTimestamp64Milli(inserted_at), 3600000), 0) COMMENT '0 for an on-time event; else the hour in which the row was inserted, in hours since 1970';

CREATE TABLE IF NOT EXISTS events_settling${ON_CLUSTER}
(
    turn          UInt64 COMMENT 'The number of the run',
    node          UUID COMMENT 'The ingest process that runs it',
    settled_until Date COMMENT 'Days up to this one are settled',
    swept_until   DateTime64(3, 'UTC') COMMENT 'Late events inserted up to this time are in events_late',
    valid_from    DateTime64(3, 'UTC') COMMENT 'When the view begins to use the row; 2100 while the run has not ended'
)
ENGINE = ${REPLICATED}MergeTree
PARTITION BY intDiv(turn, 1000)
ORDER BY turn
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'How far the events of this shard are settled. The view events_of_shard uses the newest valid row.';
-- @end

CREATE OR REPLACE VIEW events_settled${ON_CLUSTER} AS
SELECT max((turn, settled_until, swept_until)) AS record FROM events_settling WHERE valid_from <= now64(3)
COMMENT 'The newest valid row of events_settling.';

CREATE OR REPLACE VIEW events_open${ON_CLUSTER} AS
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

CREATE OR REPLACE VIEW events_arriving${ON_CLUSTER} AS
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

-- @single
CREATE OR REPLACE VIEW events AS
-- @end
-- @cluster
CREATE OR REPLACE VIEW events_of_shard${ON_CLUSTER} AS
-- @end
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

-- @single
CREATE OR REPLACE VIEW event_id_collisions AS
-- @end
-- @cluster
CREATE OR REPLACE VIEW event_id_collisions_of_shard${ON_CLUSTER} AS
-- @end
SELECT workspace_id, message_id, count() AS copies, uniqExact(content_hash) AS contents,
       groupUniqArray(10)(event) AS events, min(timestamp) AS first_timestamp, max(timestamp) AS last_timestamp,
       min(received_at) AS first_received_at, max(received_at) AS last_received_at
FROM (
    SELECT workspace_id, message_id, content_hash, event, timestamp, received_at FROM events_raw WHERE lane = 0
    UNION ALL
    SELECT workspace_id, message_id, content_hash, event, timestamp, received_at FROM events_late
    UNION ALL
    SELECT workspace_id, message_id, content_hash, event, timestamp, received_at FROM events_raw WHERE lane > 0
       AND inserted_at > (SELECT record FROM events_settled).3
)
GROUP BY workspace_id, message_id
HAVING contents > 1
COMMENT 'Message ids that an SDK used again for other content, on another day or under another name; on the same day and name the first copy stands alone. Filter by workspace_id.';

-- @cluster
CREATE OR REPLACE TABLE events${ON_CLUSTER} AS events_of_shard
ENGINE = Distributed(${CLUSTER}, currentDatabase(), events_of_shard)
COMMENT 'Each event once. Filter by workspace_id, a range of timestamp and event: that is the sort order. person counts people quickly.';

CREATE OR REPLACE TABLE event_id_collisions${ON_CLUSTER} AS event_id_collisions_of_shard
ENGINE = Distributed(${CLUSTER}, currentDatabase(), event_id_collisions_of_shard)
COMMENT 'Message ids that an SDK used again for other content, on another day or under another name; on the same day and name the first copy stands alone. Filter by workspace_id.';

-- The devices are computed once and sent to the shards, which join their events with them.
CREATE OR REPLACE VIEW events_stitched${ON_CLUSTER} AS
SELECT event_once.*,
       multiIf(event_once.user_id != '', event_once.user_id,
               device.user_id != '', device.user_id,
               event_once.anonymous_id) AS stitched_id
FROM events AS event_once
GLOBAL LEFT JOIN (SELECT workspace_id, anonymous_id, user_id FROM identified_devices) AS device
    ON device.workspace_id = event_once.workspace_id AND device.anonymous_id = event_once.anonymous_id
COMMENT 'events, with stitched_id: user_id, or who was identified on the device later or before, or anonymous_id. Filter by workspace_id and a range of timestamp.';
-- @end
