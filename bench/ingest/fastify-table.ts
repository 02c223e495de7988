export const FASTIFY_TABLE = 'bench_fastify_events';

/**
 * The event columns that a typical user would choose, with ClickHouse's defaults; the same engine
 * and key.
 */
export const FASTIFY_TABLE_SQL = `CREATE TABLE ${FASTIFY_TABLE}
(
    workspace_id  UUID,
    type          LowCardinality(String),
    event         String,
    name          String,
    message_id    String,
    timestamp     DateTime64(3, 'UTC'),
    sent_at       DateTime64(3, 'UTC'),
    received_at   DateTime64(3, 'UTC'),
    anonymous_id  String,
    user_id       String,
    session_id    String,
    properties    String,
    traits        String,
    context       String,
    batch_context String
)
ENGINE = ReplacingMergeTree
PARTITION BY toYear(timestamp)
PRIMARY KEY (workspace_id, toDate(timestamp), event)
ORDER BY (workspace_id, toDate(timestamp), event, message_id)`;
