-- One message to one person is one delivery, also where its reports name the person differently: what is
-- stored under a device's or a contact's id is shown with the person's delivery once a report names both.

CREATE TABLE IF NOT EXISTS delivery_links_raw${ON_CLUSTER}
(
    workspace_id       UUID COMMENT 'The workspace that sent it',
    delivery_id        UUID COMMENT 'What reports are stored under that name no more than a device, or a contact id',
    person_delivery_id UUID COMMENT 'The delivery of the person to whom these belong',
    rank               UInt16 COMMENT '2 where a report names both, 1 where a contact id stands for an absent user id',
    received_at        DateTime64(3, 'UTC') COMMENT 'When the report arrived that shows it, by our clock' CODEC(Delta, ZSTD(1)),
    batch_id           UUID COMMENT 'The spool segment that carried the row' CODEC(ZSTD(1)),
    batch_row          UInt32 COMMENT 'The row''s number in that segment' CODEC(Delta, ZSTD(1)),
    precedence         UInt64 MATERIALIZED toUInt64(rank) * 281474976710656 + (281474976710655 - toUnixTimestamp64Milli(received_at)) COMMENT 'The highest rank wins, and of equal ones the first received',
    INDEX batch_id batch_id TYPE bloom_filter(0.01) GRANULARITY 4
)
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
ORDER BY (workspace_id, delivery_id)
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Every stored copy of every link. Read the view delivery_links instead.';

-- @cluster
CREATE TABLE IF NOT EXISTS delivery_links_raw_all${ON_CLUSTER} AS delivery_links_raw
ENGINE = Distributed(${CLUSTER}, currentDatabase(), delivery_links_raw)
COMMENT 'delivery_links_raw of all shards.';
-- @end

CREATE VIEW IF NOT EXISTS delivery_links${ON_CLUSTER} AS
SELECT workspace_id, delivery_id, person_delivery_id, received_at
-- @single
FROM delivery_links_raw FINAL
-- @end
-- @cluster
FROM delivery_links_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, delivery_id
-- @end
COMMENT 'Under which delivery of a person the view deliveries shows reports on a device or contact id. Filter by workspace_id.';

-- What is stored shows of itself. Earlier ids were made of the contact id where there was one; the
-- expression is that of derived ids in ingest: the first 16 bytes of a SHA-256, marked as version 8.
INSERT INTO delivery_links_raw (workspace_id, delivery_id, person_delivery_id, rank, received_at)
WITH (kind, id) -> concat('["', toString(workspace_id), '","', toString(property_id), '","push",', toJSONString(message_id), ',"', kind, '",', toJSONString(id), ']') AS name_of,
     h -> toUUID(concat(substring(h, 1, 8), '-', substring(h, 9, 4), '-8', substring(h, 14, 3), '-',
                        substring('89ab89ab89ab89ab', 1 + reinterpretAsUInt8(unhex(concat('0', substring(h, 17, 1)))), 1),
                        substring(h, 18, 3), '-', substring(h, 21, 12))) AS uuid_of
SELECT workspace_id,
       if(kind = 'contact', delivery_id, uuid_of(lower(hex(SHA256(name_of('anonymous', anonymous_id)))))),
       uuid_of(lower(hex(SHA256(name_of('user', user_id))))) AS person,
       if(contact_id = user_id, 1, 2), received_at
-- @single
FROM deliveries_raw
-- @end
-- @cluster
FROM deliveries_raw_all
-- @end
ARRAY JOIN arrayFilter(kind -> if(kind = 'contact', contact_id, anonymous_id) != '', ['contact', 'anonymous']) AS kind
WHERE channel = 'push' AND message_id != '' AND user_id != '' AND NOT (kind = 'contact' AND delivery_id = person)
SETTINGS output_format_json_escape_forward_slashes = 0, insert_deduplicate = 0;

CREATE OR REPLACE VIEW deliveries${ON_CLUSTER} AS
SELECT workspace_id,
       argMax(stored_property_id, precedence) AS property_id,
       argMax(stored_sdk_key_id, precedence) AS sdk_key_id,
       channel, delivery_id,
       argMax(stored_status, precedence) AS status,
       argMax(stored_event_type, precedence) AS event_type,
       argMax(stored_platform, precedence) AS platform,
       argMax(stored_campaign_id, precedence) AS campaign_id,
       argMax(stored_message_id, precedence) AS message_id,
       argMax(stored_user_id, (is_own, stored_user_id != '', precedence)) AS user_id,
       argMax(stored_contact_id, (stored_contact_id != '', is_own, precedence)) AS contact_id,
       argMax(stored_anonymous_id, (stored_anonymous_id != '', is_own, precedence)) AS anonymous_id,
       argMax(stored_metadata, precedence) AS metadata,
       argMax(stored_extra, precedence) AS extra,
       argMax(stored_received_at, precedence) AS received_at
FROM
(
    SELECT stored.workspace_id AS workspace_id, stored.channel AS channel,
           stored.property_id AS stored_property_id, stored.sdk_key_id AS stored_sdk_key_id,
           stored.status AS stored_status, stored.event_type AS stored_event_type,
           stored.platform AS stored_platform, stored.campaign_id AS stored_campaign_id,
           stored.message_id AS stored_message_id, stored.user_id AS stored_user_id,
           stored.contact_id AS stored_contact_id, stored.anonymous_id AS stored_anonymous_id,
           stored.metadata AS stored_metadata, stored.extra AS stored_extra,
           stored.received_at AS stored_received_at, stored.precedence AS precedence,
           link.person_delivery_id = toUUID('00000000-0000-0000-0000-000000000000') AS is_own,
           if(is_own, stored.delivery_id, link.person_delivery_id) AS delivery_id
-- @single
    FROM deliveries_raw AS stored FINAL
-- @end
-- @cluster
    FROM (SELECT *, precedence FROM deliveries_raw_all FINAL
          ORDER BY precedence DESC LIMIT 1 BY workspace_id, channel, delivery_id) AS stored
-- @end
    LEFT JOIN delivery_links AS link
        ON link.workspace_id = stored.workspace_id AND link.delivery_id = stored.delivery_id
)
GROUP BY workspace_id, channel, delivery_id
COMMENT 'One row per delivery, with the furthest it came; received_at is when it came there. Filter by workspace_id.';
