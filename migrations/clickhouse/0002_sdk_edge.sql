-- What people do with in-app campaigns and pushes, as their SDKs report it: each report once.
-- No time partitions here: a retry carries no time of its own, so only the report's identity may
-- decide where a row lies.

CREATE TABLE IF NOT EXISTS in_app_events_raw${ON_CLUSTER}
(
    workspace_id      UUID COMMENT 'The workspace of the write key',
    property_id       UUID COMMENT 'The property named by X-Property-Id; all zeros when none was',
    sdk_key_id        UUID COMMENT 'The SDK key that authenticated the report',
    campaign_id       String COMMENT 'The campaign; known to us or not' CODEC(ZSTD(1)),
    event_type        LowCardinality(String) COMMENT 'impression, clicked or dismissed; served for widgets of a journey',
    event_key         String COMMENT 'idempotency_key as sent; else an id of our own. For widgets of a journey the step execution' CODEC(ZSTD(1)),
    user_id           String COMMENT 'Application user id; empty when not identified' CODEC(ZSTD(1)),
    anonymous_id      String COMMENT 'SDK anonymous id' CODEC(ZSTD(1)),
    platform          LowCardinality(String) COMMENT 'As sent, e.g. web',
    variant_id        String COMMENT 'The variant the person was shown; empty when the campaign has none' CODEC(ZSTD(1)),
    step_execution_id String COMMENT 'journey_step_execution_id of a widget; empty for catalog campaigns' CODEC(ZSTD(1)),
    step_id           String COMMENT 'The step of a multi-step widget' CODEC(ZSTD(1)),
    extra             String COMMENT 'A JSON object of all fields of the report that have no column; empty when none' CODEC(ZSTD(1)),
    received_at       DateTime64(3, 'UTC') COMMENT 'When the report arrived, by our clock' CODEC(Delta, ZSTD(1)),
    batch_id          UUID COMMENT 'The spool segment that carried the row' CODEC(ZSTD(1)),
    batch_row         UInt32 COMMENT 'The row''s number in that segment' CODEC(Delta, ZSTD(1)),
    precedence        UInt64 MATERIALIZED 18446744073709551615 - toUnixTimestamp64Milli(received_at) COMMENT 'Makes the first copy received win',
    INDEX batch_id batch_id TYPE bloom_filter(0.01) GRANULARITY 4
)
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PRIMARY KEY (workspace_id, campaign_id, event_type)
ORDER BY (workspace_id, campaign_id, event_type, event_key)
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Every stored copy of every report. Read the view in_app_events instead: it shows each report once.';

-- @cluster
CREATE TABLE IF NOT EXISTS in_app_events_raw_all${ON_CLUSTER} AS in_app_events_raw
ENGINE = Distributed(${CLUSTER}, currentDatabase(), in_app_events_raw)
COMMENT 'in_app_events_raw of all shards.';
-- @end

CREATE VIEW IF NOT EXISTS in_app_events${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, campaign_id, event_type, event_key, user_id, anonymous_id,
       platform, variant_id, step_execution_id, step_id, extra, received_at
-- @single
FROM in_app_events_raw FINAL
-- @end
-- @cluster
FROM in_app_events_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, campaign_id, event_type, event_key
-- @end
COMMENT 'Each report on an in-app campaign or widget once. Filter by workspace_id and campaign_id.';

CREATE TABLE IF NOT EXISTS in_app_responses_raw${ON_CLUSTER}
(
    workspace_id    UUID COMMENT 'The workspace of the write key',
    property_id     UUID COMMENT 'The property named by X-Property-Id; all zeros when none was',
    sdk_key_id      UUID COMMENT 'The SDK key that authenticated the response',
    campaign_id     String COMMENT 'The campaign that asked' CODEC(ZSTD(1)),
    response_type   LowCardinality(String) COMMENT 'nps, poll, quiz, rating, form or countdown',
    response_key    String COMMENT 'What makes a repeat of the response recognisable' CODEC(ZSTD(1)),
    platform        LowCardinality(String) COMMENT 'web, ios or android',
    user_id         String COMMENT 'Application user id; empty when not identified' CODEC(ZSTD(1)),
    contact_id      String COMMENT 'Contact id as sent' CODEC(ZSTD(1)),
    variant_id      String COMMENT 'A/B variant id when assigned' CODEC(ZSTD(1)),
    payload         String COMMENT 'JSON text exactly as sent' CODEC(ZSTD(1)),
    score_text      String COMMENT 'payload.score where it is a number; else empty' CODEC(ZSTD(1)),
    extra           String COMMENT 'A JSON object of all fields of the response that have no column; empty when none' CODEC(ZSTD(1)),
    received_at     DateTime64(3, 'UTC') COMMENT 'When the response arrived, by our clock' CODEC(Delta, ZSTD(1)),
    batch_id        UUID COMMENT 'The spool segment that carried the row' CODEC(ZSTD(1)),
    batch_row       UInt32 COMMENT 'The row''s number in that segment' CODEC(Delta, ZSTD(1)),
    score           Nullable(Float64) MATERIALIZED toFloat64OrNull(score_text) COMMENT 'payload.score where it is a number',
    precedence      UInt64 MATERIALIZED 18446744073709551615 - toUnixTimestamp64Milli(received_at) COMMENT 'Makes the first copy received win',
    INDEX batch_id batch_id TYPE bloom_filter(0.01) GRANULARITY 4
)
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PRIMARY KEY (workspace_id, campaign_id, response_type)
ORDER BY (workspace_id, campaign_id, response_type, response_key)
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Every stored copy of every response. Read the view in_app_responses instead.';

-- @cluster
CREATE TABLE IF NOT EXISTS in_app_responses_raw_all${ON_CLUSTER} AS in_app_responses_raw
ENGINE = Distributed(${CLUSTER}, currentDatabase(), in_app_responses_raw)
COMMENT 'in_app_responses_raw of all shards.';
-- @end

CREATE VIEW IF NOT EXISTS in_app_responses${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, campaign_id, response_type, response_key, platform, user_id,
       contact_id, variant_id, payload, score, extra, received_at
-- @single
FROM in_app_responses_raw FINAL
-- @end
-- @cluster
FROM in_app_responses_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, campaign_id, response_type, response_key
-- @end
COMMENT 'Each response to an in-app campaign once. Filter by workspace_id and campaign_id.';

CREATE TABLE IF NOT EXISTS deliveries_raw${ON_CLUSTER}
(
    workspace_id    UUID COMMENT 'The workspace that sent it',
    property_id     UUID COMMENT 'The property it went to; all zeros when none is known',
    sdk_key_id      UUID COMMENT 'The SDK key that authenticated the report; all zeros for rows of the control plane',
    channel         LowCardinality(String) COMMENT 'push',
    delivery_id     UUID COMMENT 'Derived from workspace, property, message_id and person; with an empty message_id each report is its own delivery',
    status          LowCardinality(String) COMMENT 'The furthest the delivery came: shown, dismissed, clicked',
    rank            UInt16 COMMENT 'The order of the statuses: a higher one is never replaced by a lower one',
    event_type      LowCardinality(String) COMMENT 'The report that the row comes from, normalised',
    platform        LowCardinality(String) COMMENT 'web, ios or android',
    campaign_id     String COMMENT 'Empty when the SDK could not resolve it' CODEC(ZSTD(1)),
    message_id      String COMMENT 'Empty when the SDK could not resolve it' CODEC(ZSTD(1)),
    user_id         String COMMENT 'Application user id, else the contact id' CODEC(ZSTD(1)),
    contact_id      String COMMENT 'Contact id when identified' CODEC(ZSTD(1)),
    anonymous_id    String COMMENT 'SDK anonymous id' CODEC(ZSTD(1)),
    metadata        String COMMENT 'JSON text exactly as sent; empty when absent' CODEC(ZSTD(1)),
    extra           String COMMENT 'A JSON object of all fields of the report that have no column; empty when none' CODEC(ZSTD(1)),
    received_at     DateTime64(3, 'UTC') COMMENT 'When the report arrived, by our clock' CODEC(Delta, ZSTD(1)),
    batch_id        UUID COMMENT 'The spool segment that carried the row' CODEC(ZSTD(1)),
    batch_row       UInt32 COMMENT 'The row''s number in that segment' CODEC(Delta, ZSTD(1)),
    precedence      UInt64 MATERIALIZED toUInt64(rank) * 281474976710656 + (281474976710655 - toUnixTimestamp64Milli(received_at)) COMMENT 'The highest rank wins, and of equal ones the first received',
    INDEX batch_id batch_id TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX received_at received_at TYPE minmax GRANULARITY 1
)
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
ORDER BY (workspace_id, channel, delivery_id)
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Reports on deliveries that have not been merged yet. Read the view deliveries instead: one row per delivery.';

-- @cluster
CREATE TABLE IF NOT EXISTS deliveries_raw_all${ON_CLUSTER} AS deliveries_raw
ENGINE = Distributed(${CLUSTER}, currentDatabase(), deliveries_raw)
COMMENT 'deliveries_raw of all shards.';
-- @end

CREATE VIEW IF NOT EXISTS deliveries${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, channel, delivery_id, status, event_type, platform, campaign_id,
       message_id, user_id, contact_id, anonymous_id, metadata, extra, received_at
-- @single
FROM deliveries_raw FINAL
-- @end
-- @cluster
FROM deliveries_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, channel, delivery_id
-- @end
COMMENT 'One row per delivery, with the furthest it came; received_at is when it came there. Filter by workspace_id.';

CREATE TABLE IF NOT EXISTS activity_cards_raw${ON_CLUSTER}
(
    workspace_id    UUID COMMENT 'The workspace',
    property_id     UUID COMMENT 'The property; all zeros when none is known',
    card_id         UUID COMMENT 'Derived from what the card tells, so that a repeat is the same card',
    kind            LowCardinality(String) COMMENT 'What happened, e.g. push.clicked',
    channel         LowCardinality(String) COMMENT 'push',
    user_id         String COMMENT 'Application user id, else the contact id; empty when nobody is known' CODEC(ZSTD(1)),
    contact_id      String COMMENT 'Contact id when identified' CODEC(ZSTD(1)),
    anonymous_id    String COMMENT 'SDK anonymous id' CODEC(ZSTD(1)),
    delivery_id     UUID COMMENT 'The delivery it belongs to; all zeros when it belongs to none',
    campaign_id     String COMMENT 'Empty when not known' CODEC(ZSTD(1)),
    message_id      String COMMENT 'Empty when not known' CODEC(ZSTD(1)),
    platform        LowCardinality(String) COMMENT 'web, ios or android; empty when it happened elsewhere',
    details         String COMMENT 'A JSON object with what else is known; empty when nothing is' CODEC(ZSTD(1)),
    received_at     DateTime64(3, 'UTC') COMMENT 'When we learned of it, by our clock' CODEC(Delta, ZSTD(1)),
    batch_id        UUID COMMENT 'The spool segment that carried the row' CODEC(ZSTD(1)),
    batch_row       UInt32 COMMENT 'The row''s number in that segment' CODEC(Delta, ZSTD(1)),
    precedence      UInt64 MATERIALIZED 18446744073709551615 - toUnixTimestamp64Milli(received_at) COMMENT 'Makes the first copy received win',
    INDEX batch_id batch_id TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX received_at received_at TYPE minmax GRANULARITY 1
)
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PRIMARY KEY (workspace_id, user_id)
ORDER BY (workspace_id, user_id, card_id)
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Every stored copy of every card. Read the view activity_cards instead.';

-- @cluster
CREATE TABLE IF NOT EXISTS activity_cards_raw_all${ON_CLUSTER} AS activity_cards_raw
ENGINE = Distributed(${CLUSTER}, currentDatabase(), activity_cards_raw)
COMMENT 'activity_cards_raw of all shards.';
-- @end

CREATE VIEW IF NOT EXISTS activity_cards${ON_CLUSTER} AS
SELECT workspace_id, property_id, card_id, kind, channel, user_id, contact_id, anonymous_id, delivery_id,
       campaign_id, message_id, platform, details, received_at
-- @single
FROM activity_cards_raw FINAL
-- @end
-- @cluster
FROM activity_cards_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, user_id, card_id
-- @end
COMMENT 'The activity feed: each card once. Filter by workspace_id and user_id.';

CREATE VIEW IF NOT EXISTS in_app_campaign_funnel${ON_CLUSTER} AS
SELECT workspace_id, campaign_id, variant_id, toDate(received_at) AS day,
       countIf(event_type = 'impression') AS impressions,
       countIf(event_type = 'clicked') AS clicks,
       countIf(event_type = 'dismissed') AS dismissals,
       uniqExactIf((user_id, if(user_id = '', anonymous_id, '')), event_type = 'impression') AS people_reached,
       uniqExactIf((user_id, if(user_id = '', anonymous_id, '')), event_type = 'clicked') AS people_clicked,
       if(impressions = 0, NULL, round(clicks / impressions, 4)) AS click_rate
FROM in_app_events
GROUP BY workspace_id, campaign_id, variant_id, day
COMMENT 'How a campaign does, by day (UTC) and variant. Filter by workspace_id and campaign_id.';

CREATE VIEW IF NOT EXISTS nps_by_day${ON_CLUSTER} AS
SELECT workspace_id, campaign_id, toDate(received_at) AS day,
       count() AS responses,
       countIf(score >= 9) AS promoters, countIf(score < 9 AND score >= 7) AS passives, countIf(score < 7) AS detractors,
       round(avg(score), 2) AS average_score,
       round(100 * (promoters - detractors) / responses, 1) AS nps
FROM in_app_responses
WHERE response_type = 'nps'
GROUP BY workspace_id, campaign_id, day
COMMENT 'Net promoter score by day (UTC): promoters score 9 and 10, detractors 0 to 6. Filter by workspace_id and campaign_id.';

CREATE VIEW IF NOT EXISTS push_funnel${ON_CLUSTER} AS
SELECT workspace_id, platform, campaign_id, toDate(received_at) AS day,
       count() AS reached,
       countIf(status = 'clicked') AS clicked,
       countIf(status = 'dismissed') AS dismissed,
       round(clicked / reached, 4) AS click_rate
FROM deliveries
WHERE channel = 'push'
GROUP BY workspace_id, platform, campaign_id, day
COMMENT 'How pushes do, by platform, campaign and the day (UTC) on which a delivery came as far as it did. Filter by workspace_id.';
