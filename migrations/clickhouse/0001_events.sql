-- What SDKs send to /v1/batch, each event once, and what was refused of it.
-- On a cluster, blocks go to one shard each, so copies of an event may lie on several: the views
-- there take one of the surviving copies of all shards.

CREATE TABLE IF NOT EXISTS events_raw${ON_CLUSTER}
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
    content_hash    UInt64 MATERIALIZED cityHash64(type, event, name, timestamp, anonymous_id, user_id, session_id, properties, traits, context, extra) COMMENT 'Equal for equal content; tells a retry from a re-used id',
    precedence      UInt64 MATERIALIZED 18446744073709551615 - toUnixTimestamp64Milli(received_at) COMMENT 'Makes the first copy received win',
    INDEX batch_id batch_id TYPE bloom_filter(0.01) GRANULARITY 4
)
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PARTITION BY if(toYear(timestamp) BETWEEN 2015 AND 2049, toYear(timestamp), 0)
PRIMARY KEY (workspace_id, toDate(timestamp), event)
ORDER BY (workspace_id, toDate(timestamp), event, message_id)
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1,
         min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1
COMMENT 'Every stored copy of every event. Read the view events instead: it shows each event once.';

-- @cluster
CREATE TABLE IF NOT EXISTS events_raw_all${ON_CLUSTER} AS events_raw
ENGINE = Distributed(${CLUSTER}, currentDatabase(), events_raw)
COMMENT 'events_raw of all shards.';
-- @end

CREATE VIEW IF NOT EXISTS events${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, type, event, name, message_id, timestamp, timestamp_text,
       sent_at, sent_at_text, received_at, corrected_at, anonymous_id, user_id, session_id,
       properties, traits, context, extra, batch_context, batch_extra
-- @single
FROM events_raw FINAL
-- @end
-- @cluster
FROM events_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, toDate(timestamp), event, message_id
-- @end
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Each event once. Filter by workspace_id, a range of timestamp and event: that is the sort order.';

CREATE VIEW IF NOT EXISTS event_id_collisions${ON_CLUSTER} AS
SELECT workspace_id, message_id, count() AS copies, uniqExact(content_hash) AS contents,
       groupUniqArray(10)(event) AS events, min(timestamp) AS first_timestamp, max(timestamp) AS last_timestamp,
       min(received_at) AS first_received_at, max(received_at) AS last_received_at
-- @single
FROM events_raw
-- @end
-- @cluster
FROM events_raw_all
-- @end
GROUP BY workspace_id, message_id
HAVING contents > 1
COMMENT 'Message ids that an SDK used again for other content, on another day or under another name; on the same day and name the first copy stands alone. Filter by workspace_id.';

CREATE TABLE IF NOT EXISTS rejected_events_raw${ON_CLUSTER}
(
    workspace_id    UUID COMMENT 'The workspace of the write key',
    property_id     UUID COMMENT 'The property named by X-Property-Id; all zeros when none was',
    sdk_key_id      UUID COMMENT 'The SDK key that authenticated the batch',
    endpoint        LowCardinality(String) COMMENT 'The path the event was posted to',
    code            LowCardinality(String) COMMENT 'The stable code of the reason',
    message         String COMMENT 'The reason in words' CODEC(ZSTD(1)),
    message_id      String COMMENT 'messageId, where there was a readable one' CODEC(ZSTD(1)),
    batch_index     UInt16 COMMENT 'The event''s position in its batch, from 0',
    body            String COMMENT 'The event''s JSON text exactly as sent; for WAREHOUSE_REFUSED the row as a JSON object' CODEC(ZSTD(1)),
    sent_at_text    String COMMENT 'sentAt of the batch as sent' CODEC(ZSTD(1)),
    batch_context   String COMMENT 'JSON text of the batch''s own context; empty when absent' CODEC(ZSTD(1)),
    received_at     DateTime64(3, 'UTC') COMMENT 'When the batch arrived, by our clock' CODEC(Delta, ZSTD(1)),
    batch_id        UUID COMMENT 'The spool segment that carried the row' CODEC(ZSTD(1)),
    batch_row       UInt32 COMMENT 'The row''s number in that segment' CODEC(Delta, ZSTD(1)),
    body_hash       UInt128 MATERIALIZED reinterpretAsUInt128(sipHash128(body)) COMMENT 'Identifies the refused event',
    precedence      UInt64 MATERIALIZED 18446744073709551615 - toUnixTimestamp64Milli(received_at) COMMENT 'Makes the first copy received win',
    INDEX batch_id batch_id TYPE bloom_filter(0.01) GRANULARITY 4
)
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PRIMARY KEY (workspace_id, code)
ORDER BY (workspace_id, code, endpoint, body_hash)
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Every stored copy of every refused event, whole, with its reason. Read the view rejected_events instead.';

-- @cluster
CREATE TABLE IF NOT EXISTS rejected_events_raw_all${ON_CLUSTER} AS rejected_events_raw
ENGINE = Distributed(${CLUSTER}, currentDatabase(), rejected_events_raw)
COMMENT 'rejected_events_raw of all shards.';
-- @end

CREATE VIEW IF NOT EXISTS rejected_events${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, endpoint, code, message, message_id, batch_index, body,
       sent_at_text, batch_context, received_at
-- @single
FROM rejected_events_raw FINAL
-- @end
-- @cluster
FROM rejected_events_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, code, endpoint, body_hash
-- @end
COMMENT 'Each refused event once. Filter by workspace_id and code.';
