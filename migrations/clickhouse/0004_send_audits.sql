-- Which version of a template each send used, and why.

CREATE TABLE IF NOT EXISTS send_audits_raw${ON_CLUSTER}
(
    workspace_id      UUID COMMENT 'The workspace',
    send_id           UUID COMMENT 'Derived from the enrolment and the node, so that a repeat is the same send',
    enrolment_id      UUID COMMENT 'The person''s way through the journey',
    journey_id        UUID COMMENT 'The journey',
    node_id           String COMMENT 'Its send node' CODEC(ZSTD(1)),
    template_id       UUID COMMENT 'The template',
    version_id        UUID COMMENT 'The version that was used',
    version_number    UInt32 COMMENT 'Its number within template, channel and language',
    pinned_version_id UUID COMMENT 'What the person was pinned to; all zeros where nothing was pinned',
    channel           LowCardinality(String) COMMENT 'messaging_app, sms or email',
    language          LowCardinality(String) COMMENT 'Of the version',
    reason            LowCardinality(String) COMMENT 'override, pin, forced, released_pin, active, fallback_rejected or pin_unsendable',
    contact_id        UUID COMMENT 'The contact',
    user_id           String COMMENT 'Application user id of the contact' CODEC(ZSTD(1)),
    sent_at           DateTime64(3, 'UTC') COMMENT 'When the version was chosen' CODEC(Delta, ZSTD(1)),
    received_at       DateTime64(3, 'UTC') COMMENT 'When the row was written, by our clock' CODEC(Delta, ZSTD(1)),
    batch_id          UUID COMMENT 'The spool segment that carried the row' CODEC(ZSTD(1)),
    batch_row         UInt32 COMMENT 'The row''s number in that segment' CODEC(Delta, ZSTD(1)),
    precedence        UInt64 MATERIALIZED 18446744073709551615 - toUnixTimestamp64Milli(received_at) COMMENT 'Makes the first copy received win',
    INDEX batch_id batch_id TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX user_id user_id TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX enrolment_id enrolment_id TYPE bloom_filter(0.01) GRANULARITY 4
)
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PRIMARY KEY (workspace_id, template_id, sent_at)
ORDER BY (workspace_id, template_id, sent_at, send_id)
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Every stored copy of every send''s audit. Read the view send_audits instead.';

-- @cluster
CREATE TABLE IF NOT EXISTS send_audits_raw_all${ON_CLUSTER} AS send_audits_raw
ENGINE = Distributed(${CLUSTER}, currentDatabase(), send_audits_raw)
COMMENT 'send_audits_raw of all shards.';
-- @end

CREATE VIEW IF NOT EXISTS send_audits${ON_CLUSTER} AS
SELECT workspace_id, send_id, enrolment_id, journey_id, node_id, template_id, version_id, version_number,
       pinned_version_id, channel, language, reason, contact_id, user_id, sent_at, received_at
-- @single
FROM send_audits_raw FINAL
-- @end
-- @cluster
FROM send_audits_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, template_id, sent_at, send_id
-- @end
COMMENT 'Which version each send used: each send once. Filter by workspace_id and template_id.';
