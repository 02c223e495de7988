-- idempotency_key belongs to one person: the reports of two people who happen to use the same key both count.
-- A sort key can't take in a column that its table has already, so each table is made anew, exchanged
-- with the one in use, and given the rows stored so far. Until that is done, the views lack some of them.
--
-- The file may be applied again from its start wherever it stopped, and no row is lost: what lies in
-- the table beside goes into the one in use before it is dropped (before the first exchange it is empty, and
-- a row that is copied twice is the same row). An insert that had begun when the tables were
-- exchanged still writes into the old one: if there is one, the copy waits for the 60 s that ingest allows it.

CREATE TABLE IF NOT EXISTS in_app_events_raw_beside${ON_CLUSTER} AS in_app_events_raw
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PRIMARY KEY (workspace_id, campaign_id, event_type)
ORDER BY (workspace_id, campaign_id, event_type, event_key, user_id, if(user_id = '', anonymous_id, ''));

-- @single
INSERT INTO in_app_events_raw SELECT * FROM in_app_events_raw_beside;
-- @end
-- @cluster
INSERT INTO FUNCTION cluster(${CLUSTER}, currentDatabase(), 'in_app_events_raw', cityHash64(workspace_id, campaign_id, event_type, event_key, user_id, if(user_id = '', anonymous_id, '')))
SELECT * FROM cluster(${CLUSTER}, currentDatabase(), 'in_app_events_raw_beside');
-- @end

DROP TABLE in_app_events_raw_beside${ON_CLUSTER};

CREATE TABLE in_app_events_raw_beside${ON_CLUSTER} AS in_app_events_raw
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PRIMARY KEY (workspace_id, campaign_id, event_type)
ORDER BY (workspace_id, campaign_id, event_type, event_key, user_id, if(user_id = '', anonymous_id, ''))
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Every stored copy of every report. Read the view in_app_events instead: it shows each report once.';

EXCHANGE TABLES in_app_events_raw AND in_app_events_raw_beside${ON_CLUSTER};

-- Waits only where there are inserts into it; a block of one row sleeps half a second.
SELECT max(sleepEachRow(0.5)) FROM numbers(120)
-- @single
WHERE (SELECT count() FROM system.processes WHERE query_kind = 'Insert' AND current_database = currentDatabase()
           AND position(query, 'in_app_events_raw') > 0) > 0
-- @end
-- @cluster
WHERE (SELECT count() FROM clusterAllReplicas(${CLUSTER}, system.processes) WHERE query_kind = 'Insert' AND current_database = currentDatabase()
           AND position(query, 'in_app_events_raw') > 0) > 0
-- @end
SETTINGS max_block_size = 1;

-- @single
INSERT INTO in_app_events_raw SELECT * FROM in_app_events_raw_beside;
-- @end
-- @cluster
INSERT INTO FUNCTION cluster(${CLUSTER}, currentDatabase(), 'in_app_events_raw', cityHash64(workspace_id, campaign_id, event_type, event_key, user_id, if(user_id = '', anonymous_id, '')))
SELECT * FROM cluster(${CLUSTER}, currentDatabase(), 'in_app_events_raw_beside');
-- @end

DROP TABLE in_app_events_raw_beside${ON_CLUSTER};

CREATE TABLE IF NOT EXISTS in_app_responses_raw_beside${ON_CLUSTER} AS in_app_responses_raw
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PRIMARY KEY (workspace_id, campaign_id, response_type)
ORDER BY (workspace_id, campaign_id, response_type, response_key, user_id, if(user_id = '', contact_id, ''));

-- @single
INSERT INTO in_app_responses_raw SELECT * FROM in_app_responses_raw_beside;
-- @end
-- @cluster
INSERT INTO FUNCTION cluster(${CLUSTER}, currentDatabase(), 'in_app_responses_raw', cityHash64(workspace_id, campaign_id, response_type, response_key, user_id, if(user_id = '', contact_id, '')))
SELECT * FROM cluster(${CLUSTER}, currentDatabase(), 'in_app_responses_raw_beside');
-- @end

DROP TABLE in_app_responses_raw_beside${ON_CLUSTER};

CREATE TABLE in_app_responses_raw_beside${ON_CLUSTER} AS in_app_responses_raw
ENGINE = ${REPLICATED}ReplacingMergeTree(precedence)
PRIMARY KEY (workspace_id, campaign_id, response_type)
ORDER BY (workspace_id, campaign_id, response_type, response_key, user_id, if(user_id = '', contact_id, ''))
SETTINGS non_replicated_deduplication_window = 10000,
         replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800,
         fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Every stored copy of every response. Read the view in_app_responses instead.';

EXCHANGE TABLES in_app_responses_raw AND in_app_responses_raw_beside${ON_CLUSTER};

-- Waits only where there are inserts into it; a block of one row sleeps half a second.
SELECT max(sleepEachRow(0.5)) FROM numbers(120)
-- @single
WHERE (SELECT count() FROM system.processes WHERE query_kind = 'Insert' AND current_database = currentDatabase()
           AND position(query, 'in_app_responses_raw') > 0) > 0
-- @end
-- @cluster
WHERE (SELECT count() FROM clusterAllReplicas(${CLUSTER}, system.processes) WHERE query_kind = 'Insert' AND current_database = currentDatabase()
           AND position(query, 'in_app_responses_raw') > 0) > 0
-- @end
SETTINGS max_block_size = 1;

-- @single
INSERT INTO in_app_responses_raw SELECT * FROM in_app_responses_raw_beside;
-- @end
-- @cluster
INSERT INTO FUNCTION cluster(${CLUSTER}, currentDatabase(), 'in_app_responses_raw', cityHash64(workspace_id, campaign_id, response_type, response_key, user_id, if(user_id = '', contact_id, '')))
SELECT * FROM cluster(${CLUSTER}, currentDatabase(), 'in_app_responses_raw_beside');
-- @end

DROP TABLE in_app_responses_raw_beside${ON_CLUSTER};

-- @cluster
CREATE OR REPLACE VIEW in_app_events${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, campaign_id, event_type, event_key, user_id, anonymous_id,
       platform, variant_id, step_execution_id, step_id, extra, received_at
FROM in_app_events_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, campaign_id, event_type, event_key, user_id, if(user_id = '', anonymous_id, '')
COMMENT 'Each report on an in-app campaign or widget once. Filter by workspace_id and campaign_id.';

CREATE OR REPLACE VIEW in_app_responses${ON_CLUSTER} AS
SELECT workspace_id, property_id, sdk_key_id, campaign_id, response_type, response_key, platform, user_id,
       contact_id, variant_id, payload, score, extra, received_at
FROM in_app_responses_raw_all FINAL
ORDER BY precedence DESC
LIMIT 1 BY workspace_id, campaign_id, response_type, response_key, user_id, if(user_id = '', contact_id, '')
COMMENT 'Each response to an in-app campaign once. Filter by workspace_id and campaign_id.';
-- @end
