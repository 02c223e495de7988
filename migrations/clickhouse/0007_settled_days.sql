-- Days that are over are read without removing duplicates. On a single node:
--
-- - events_raw has a partition for each day of on-time events. A day is closed 30 hours after it began: from
--   then on, events of that day go to the partition of the hour in which they are inserted (lane > 0). So
--   nothing is ever inserted into a closed day, which ingest merges into one part and reads without FINAL.
-- - events_late has the late events, each once: ingest moves them there from the lane (ingest/settle).
-- - events_settling says how far that work has come. The view reads it once per query, so each event is in
--   exactly one of its branches at any moment.
--
-- On a cluster, the view takes one of the copies of all shards as before. Partitions are by year, and late
-- events have a partition of their own there, so that a block from ingest is one part on both.
--
-- A partition key can't be changed, so the table is made anew, exchanged with the one in use, and given the
-- rows stored so far. Until that is done, the view lacks some of them. The file may be applied again from
-- its start wherever it stopped, and no row is lost: what lies in the table beside goes into the one in
-- use before it is dropped, and a row that is copied twice is the same row.

ALTER TABLE events_raw${ON_CLUSTER} ADD COLUMN IF NOT EXISTS inserted_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When ClickHouse received the row' CODEC(Delta, ZSTD(1));

CREATE TABLE IF NOT EXISTS events_raw_beside${ON_CLUSTER} AS events_raw;

-- @single
INSERT INTO events_raw (workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row)
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row
FROM events_raw_beside
ORDER BY workspace_id, toDate(timestamp), event, message_id
SETTINGS max_threads = 1, max_insert_threads = 1, max_partitions_per_insert_block = 0;
-- @end
-- @cluster
INSERT INTO FUNCTION cluster(${CLUSTER}, currentDatabase(), 'events_raw', cityHash64(workspace_id, toDate(timestamp), event, message_id))
    (workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row)
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row
FROM cluster(${CLUSTER}, currentDatabase(), 'events_raw_beside')
SETTINGS max_partitions_per_insert_block = 0;
-- @end

DROP TABLE events_raw_beside${ON_CLUSTER};

CREATE TABLE events_raw_beside${ON_CLUSTER}
(
    workspace_id    UUID COMMENT 'The workspace of the write key',
    property_id     UUID COMMENT 'The property named by X-Property-Id; all zeros when none was',
    sdk_key_id      UUID COMMENT 'The SDK key that authenticated the batch',
    type            LowCardinality(String) COMMENT 'track, identify, page, screen, group or alias',
    event           String COMMENT 'Event name; always there for track' CODEC(ZSTD(1)),
    name            String COMMENT 'Page or screen name' CODEC(ZSTD(1)),
    message_id      String COMMENT 'The SDK''s unique id of the event' CODEC(ZSTD(1)),
    timestamp       DateTime64(3, 'UTC') COMMENT 'When the event occurred by the client''s clock, uncorrected' CODEC(Delta, ZSTD(1)),
    timestamp_text  String COMMENT 'timestamp as sent, where it was not written YYYY-MM-DDTHH:MM:SS.mmmZ; else empty' CODEC(ZSTD(1)),
    sent_at         DateTime64(3, 'UTC') COMMENT 'When the SDK flushed the batch, by the client''s clock' CODEC(Delta, ZSTD(1)),
    sent_at_text    String COMMENT 'sentAt as sent, where it was not written YYYY-MM-DDTHH:MM:SS.mmmZ; else empty' CODEC(ZSTD(1)),
    received_at     DateTime64(3, 'UTC') COMMENT 'When the batch arrived, by our clock' CODEC(Delta, ZSTD(1)),
    corrected_at    DateTime64(3, 'UTC') COMMENT 'timestamp + (received_at - sent_at) where the client''s clock was off by more than 5 minutes, else timestamp' CODEC(Delta, ZSTD(1)),
    anonymous_id    String COMMENT 'SDK-generated anonymous id' CODEC(ZSTD(1)),
    user_id         String COMMENT 'Application user id; empty when not identified' CODEC(ZSTD(1)),
    session_id      String COMMENT 'SDK-managed session id' CODEC(ZSTD(1)),
    properties      String COMMENT 'JSON text exactly as sent; empty when absent' CODEC(ZSTD(1)),
    traits          String COMMENT 'JSON text exactly as sent; empty when absent' CODEC(ZSTD(1)),
    context         String COMMENT 'JSON text exactly as sent; empty when absent' CODEC(ZSTD(1)),
    extra           String COMMENT 'A JSON object of all fields of the event that have no column; empty when none' CODEC(ZSTD(1)),
    batch_context   String COMMENT 'JSON text of the batch''s own context (region, endpoint); empty when absent' CODEC(ZSTD(1)),
    batch_extra     String COMMENT 'A JSON object of all fields of the batch that have no column; empty when none' CODEC(ZSTD(1)),
    batch_id        UUID COMMENT 'The spool segment that carried the row' CODEC(ZSTD(1)),
    batch_row       UInt32 COMMENT 'The row''s number in that segment' CODEC(Delta, ZSTD(1)),
    inserted_at     DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When ClickHouse received the row' CODEC(Delta, ZSTD(1)),
    content_hash    UInt64 MATERIALIZED cityHash64(type, event, name, timestamp, anonymous_id, user_id, session_id, properties, traits, context, extra) COMMENT 'Equal for equal content; tells a retry from a re-used id',
    precedence      UInt64 MATERIALIZED 18446744073709551615 - toUnixTimestamp64Milli(received_at) COMMENT 'Makes the first copy received win',
    person          UInt64 MATERIALIZED cityHash64(if(user_id != '', user_id, anonymous_id)) COMMENT 'A hash of user_id or, without one, of anonymous_id',
    -- The first two conditions are those of schema/rows/events-raw.ts.
-- @single
    lane            UInt32 MATERIALIZED if(toUnixTimestamp64Milli(received_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000
                                           OR intDiv(toUnixTimestamp64Milli(timestamp), 86400000) > intDiv(toUnixTimestamp64Milli(received_at), 86400000) + 1
                                           OR toUnixTimestamp64Milli(inserted_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000,
                                           intDiv(toUnixTimestamp64Milli(inserted_at), 3600000), 0) COMMENT '0 for an on-time event; else the hour in which the row was inserted, in hours since 1970' CODEC(ZSTD(1)),
-- @end
-- @cluster
    lane            UInt32 MATERIALIZED toUnixTimestamp64Milli(received_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000
                                        OR intDiv(toUnixTimestamp64Milli(timestamp), 86400000) > intDiv(toUnixTimestamp64Milli(received_at), 86400000) + 1 COMMENT '0 for an on-time event; else 1' CODEC(ZSTD(1)),
-- @end
    INDEX batch_id batch_id TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX message_id message_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX user_id user_id TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX anonymous_id anonymous_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
-- @single
PARTITION BY (lane, if(lane = 0, toYYYYMMDD(timestamp), 0))
-- @end
-- @cluster
PARTITION BY (lane, if(lane = 0, toYear(timestamp), 0))
-- @end
ORDER BY (workspace_id, toDate(timestamp), event, message_id)
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 1024,
-- @single
         max_bytes_to_merge_at_max_space_in_pool = 104857600
-- @end
-- @cluster
         min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1
-- @end
COMMENT 'Every stored copy of every event. Read the view events instead: it shows each event once.';

EXCHANGE TABLES events_raw AND events_raw_beside${ON_CLUSTER};

-- Waits only where there are inserts into it; a block of one row sleeps half a second.
SELECT max(sleepEachRow(0.5)) FROM numbers(120)
-- @single
WHERE (SELECT count() FROM system.processes WHERE query_kind = 'Insert' AND current_database = currentDatabase()
           AND position(query, 'events_raw') > 0) > 0
-- @end
-- @cluster
WHERE (SELECT count() FROM clusterAllReplicas(${CLUSTER}, system.processes) WHERE query_kind = 'Insert' AND current_database = currentDatabase()
           AND position(query, 'events_raw') > 0) > 0
-- @end
SETTINGS max_block_size = 1;

-- An event that was on time when it was received counts as inserted then, so that it goes to its day.
-- @single
INSERT INTO events_raw (workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row, inserted_at)
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row,
       if(toUnixTimestamp64Milli(received_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000, now64(3), received_at)
FROM events_raw_beside
ORDER BY workspace_id, toDate(timestamp), event, message_id
SETTINGS max_threads = 1, max_insert_threads = 1, max_partitions_per_insert_block = 0;
-- @end
-- @cluster
INSERT INTO FUNCTION cluster(${CLUSTER}, currentDatabase(), 'events_raw', cityHash64(workspace_id, toDate(timestamp), event, message_id))
    (workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row)
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context, batch_extra, batch_id, batch_row
FROM cluster(${CLUSTER}, currentDatabase(), 'events_raw_beside')
SETTINGS max_partitions_per_insert_block = 0;
-- @end

DROP TABLE events_raw_beside${ON_CLUSTER};

-- @cluster
CREATE OR REPLACE VIEW events${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra,
       cityHash64(if(user_id != '', user_id, anonymous_id)) AS person
FROM events_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, toDate(timestamp), event, message_id
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Each event once. Filter by workspace_id, a range of timestamp and event: that is the sort order.';
-- @end

-- Stays empty on a cluster.
CREATE TABLE IF NOT EXISTS events_late${ON_CLUSTER} AS events_raw
ENGINE = ${REPLICATED}MergeTree
PARTITION BY if(toYear(timestamp) BETWEEN 2015 AND 2049, toYYYYMM(timestamp), 0)
ORDER BY (workspace_id, toDate(timestamp), event, message_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 1024
COMMENT 'Events that arrived after their day was closed, each once. Read the view events instead.';

ALTER TABLE events_late${ON_CLUSTER} ADD COLUMN IF NOT EXISTS turn UInt64 COMMENT 'The turn of events_settling from which the row counts' CODEC(ZSTD(1));

-- @cluster
CREATE TABLE IF NOT EXISTS events_late_all${ON_CLUSTER} AS events_late
ENGINE = Distributed(${CLUSTER}, currentDatabase(), events_late)
COMMENT 'events_late of all shards.';
-- @end

-- @single
CREATE TABLE IF NOT EXISTS events_settling
(
    turn          UInt64 COMMENT 'The number of the run',
    node          UUID COMMENT 'The ingest process that runs it',
    settled_until Date COMMENT 'Days up to this one are settled',
    swept_until   DateTime64(3, 'UTC') COMMENT 'Late events inserted up to this time are in events_late',
    valid_from    DateTime64(3, 'UTC') COMMENT 'When the view begins to use the row; 2100 while the run has not ended'
)
ENGINE = MergeTree
PARTITION BY intDiv(turn, 1000)
ORDER BY turn
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'How far events are settled. The view events uses the newest valid row.';

-- ClickHouse evaluates a scalar subquery once per query wherever the same text stands, also in nested
-- views. Therefore the time is compared in here: now64() would make each text another one.
CREATE OR REPLACE VIEW events_settled AS
SELECT max((turn, settled_until, swept_until)) AS record FROM events_settling WHERE valid_from <= now64(3)
COMMENT 'The newest valid row of events_settling.';

-- A view of its own: the setting does not reach a branch of a UNION ALL, and without it FINAL reads all partitions.
CREATE OR REPLACE VIEW events_open AS
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra, person
FROM events_raw FINAL
WHERE lane = 0
  AND toDate(timestamp) > (SELECT record FROM events_settled).2
  AND (workspace_id, toDate(timestamp), event, message_id) NOT IN (
      SELECT workspace_id, toDate(timestamp), event, message_id FROM events_late
      WHERE toDate(timestamp) > (SELECT record FROM events_settled).2
        AND turn <= (SELECT record FROM events_settled).1)
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'The part of events whose days are not settled yet. Read the view events instead.';

-- Late events that are not in events_late yet: the first copy of each, unless the event is stored already.
CREATE OR REPLACE VIEW events_arriving AS
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra, person
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
       properties, traits, context, extra, batch_context, batch_extra, person
FROM events_raw
WHERE lane = 0 AND toDate(timestamp) <= (SELECT record FROM events_settled).2
UNION ALL
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra, person
FROM events_late
WHERE turn <= (SELECT record FROM events_settled).1
UNION ALL
SELECT * FROM events_open
UNION ALL
SELECT * FROM events_arriving
COMMENT 'Each event once. Filter by workspace_id, a range of timestamp and event: that is the sort order. person counts people quickly.';
-- @end

CREATE OR REPLACE VIEW event_id_collisions${ON_CLUSTER} AS
SELECT workspace_id, message_id, count() AS copies, uniqExact(content_hash) AS contents,
       groupUniqArray(10)(event) AS events, min(timestamp) AS first_timestamp, max(timestamp) AS last_timestamp,
       min(received_at) AS first_received_at, max(received_at) AS last_received_at
-- @single
FROM (
    SELECT workspace_id, message_id, content_hash, event, timestamp, received_at FROM events_raw WHERE lane = 0
    UNION ALL
    SELECT workspace_id, message_id, content_hash, event, timestamp, received_at FROM events_late
    UNION ALL
    SELECT workspace_id, message_id, content_hash, event, timestamp, received_at FROM events_raw WHERE lane > 0
       AND inserted_at > (SELECT record FROM events_settled).3
)
-- @end
-- @cluster
FROM events_raw_all
-- @end
GROUP BY workspace_id, message_id
HAVING contents > 1
COMMENT 'Message ids that an SDK used again for other content, on another day or under another name; on the same day and name the first copy stands alone. Filter by workspace_id.';
