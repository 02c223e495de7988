// All limits of ingest, with their reasons. Exceeding one causes a clear error or a metric, never
// silent data loss.

/** Spec, Limits of /v1/batch: 500 KB, 1 KB = 1,024 bytes; counted on the decompressed body. */
export const BODY_BYTES_MAX = 500 * 1024;
/**
 * Gateway events have one to three kilobytes. Anyone can send a webhook that has to be verified.
 */
export const GATEWAY_BODY_BYTES_MAX = 128 * 1024;
/** Spec, Limits of /v1/batch. */
export const BATCH_EVENTS_MAX = 100;
/**
 * The events of a request of another vendor's client, which becomes several batches. Their clients
 * send up to 250.
 */
export const COMPATIBLE_EVENTS_MAX = 10 * BATCH_EVENTS_MAX;
/** Spec, Limits of /v1/batch: the properties object itself is level 1, arrays count. */
export const NESTING_LEVELS_MAX = 5;
/** Spec, Limits of /v1/batch, in Unicode characters. */
export const KEY_CHARACTERS_MAX = 256;
/** Spec, Limits of /v1/batch: 10 KB of decoded UTF-8 per value. */
export const VALUE_BYTES_MAX = 10 * 1024;
/**
 * The batch's own context and its unknown members together. They are stored with each event, so a
 * larger limit would let a batch grow a hundredfold.
 */
export const ENVELOPE_BYTES_MAX = 16 * 1024;
/** IDs and names: long enough for the IDs of any SDK, short enough for a sort key. */
export const STRING_CHARACTERS_MAX = 512;

/** A larger difference means that the client's clock is wrong, not that the network is slow. */
export const CLOCK_SKEW_TOLERATED_MS = 5 * 60 * 1000;

/**
 * A segment becomes one ClickHouse block per table and partition: the larger it is, the less there
 * is to merge. ClickHouse holds a block in memory while it sorts it.
 */
export const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;
/** Well below ClickHouse's max_insert_block_size (1,048,449), so that a block stays one part. */
export const SEGMENT_ROWS_MAX = 250_000;
/**
 * Waiting segments are inserted as one block of at most SEGMENT_BYTES_MAX (which is below
 * max_insert_block_size even for the smallest rows) and at most this many segments, because the
 * query that counts their rows lists each one (20 KB of its limit of 256 KB).
 */
export const GROUP_SEGMENTS_MAX = 500;
/** The approximate time from the acknowledgement of an event until it can be queried. */
export const SEGMENT_AGE_MAX_MS = 1_000;
/**
 * A segment that has this size by then stays open longer, because large inserts cause the most
 * merges.
 */
export const SEGMENT_BYTES_WORTHWHILE = 8 * 1024 * 1024;
/** How long such a segment stays open. */
export const WORTHWHILE_AGE_MAX_MS = 2_000;
/** Bytes waiting for the disk, per thread and cell. Beyond this, requests return 503. */
export const PENDING_BYTES_MAX = 64 * 1024 * 1024;
/** Bodies being read or processed, per thread. Beyond this, requests return 503 unread. */
export const OPEN_BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Per thread. SDKs keep connections open, so further connections are closed rather than queued. */
export const CONNECTIONS_MAX = 20_000;
/**
 * How long segments are retained after their insert, because ClickHouse may lose parts it has not
 * synced.
 */
export const RETENTION_MS = 30 * 60 * 1000;
/**
 * Retained segments use at most this share of SPOOL_MAX_BYTES, in addition to undelivered segments.
 */
export const RETAINED_SHARE_MAX = 0.25;
/**
 * Free space reserved on the spool's disk, so that cursors and new segments can still be written.
 */
export const DISK_RESERVE_BYTES = 256 * 1024 * 1024;

/** Timeout of one attempt to insert a block. After it, the outcome is unknown. */
export const INSERT_TIMEOUT_MS = 60_000;
/** Timeout of probes and other small queries to ClickHouse. */
export const QUESTION_TIMEOUT_MS = 15_000;
/** A reachable server connects much faster, even across regions. */
export const CONNECT_TIMEOUT_MS = 2_000;
/**
 * The wait between attempts doubles up to this value. Together with the connect timeout and the
 * wait for a connection before it, work resumes within 5 s after a database is back, regardless of
 * the length of the outage.
 */
export const RETRY_WAIT_MAX_MS = 1_500;

/** An unreadable segment is retried for a minute before it is quarantined. */
export const UNREADABLE_TRIES_MAX = 40;

/** Message IDs remembered by a node: 2^20 entries of 16 bytes use 16 MiB of shared memory. */
export const RECENT_IDS_MAX = 1 << 20;

/**
 * The maximum delay until the last use of a key is visible. Each report costs a message and, once a
 * minute, a write.
 */
export const KEY_USES_INTERVAL_MS = 10_000;

/** Time for open requests after the process stops accepting new ones. */
export const DRAIN_REQUESTS_MS = 10_000;
/**
 * Time to deliver the last segments to ClickHouse during shutdown. The rest is delivered after a
 * restart.
 */
export const DRAIN_INSERTS_MS = 10_000;

/**
 * The Retry-After of a response while a cell is unavailable, its spool is full, or the process
 * stops.
 */
export const RETRY_AFTER_SECONDS = 5;

/**
 * The size of a request's head: several times the cookies that browsers store per domain. Same as
 * in Node.js, which is the proxy in development.
 */
export const HEAD_BYTES_MAX = 16 * 1024;

/**
 * The time for a broker to acknowledge a record. After it, the waiting requests return 503. It is
 * longer than the 2 s in which a cluster with the recommended settings replaces a broker, and leaves
 * half a second of the 3 s without a 200 in which another broker acknowledges records.
 */
export const BROKER_SEND_TIMEOUT_MS = 2_500;
/** The time in which a broker must return the leaders of the partitions. After it, another broker is asked. */
export const BROKER_ANSWER_TIMEOUT_MS = 1_500;
export const BROKER_CONNECT_TIMEOUT_MS = 2_000;
export const BROKER_REQUEST_TIMEOUT_MS = 5_000;
/**
 * No further rows are added to a record of this size. With the rows of one more request it stays
 * below the largest record that the topics accept.
 */
export const RECORD_BYTES_WORTHWHILE = 1024 * 1024;
/**
 * The minimum time between two records of a lane, unless the next one is full. A record costs ingest and
 * three brokers about the same, regardless of its number of rows. A request after a pause does not wait.
 */
export const RECORD_INTERVAL_MS = 20;

/**
 * A member of a consumer group that sends no heartbeat for this long loses its partitions. Its rows
 * are then inserted by another member.
 */
export const GROUP_SESSION_MS = 10_000;
export const GROUP_HEARTBEAT_MS = 2_000;
/**
 * A block of the replicated log: the records of one partition in this time. Twelve partitions make
 * six blocks a second, regardless of the number of nodes.
 */
export const LOG_BLOCK_AGE_MS = 2_000;
export const LOG_BLOCK_BYTES_MAX = 16 * 1024 * 1024;
/**
 * With hundreds of threads, a partition gets thousands of small records in this time. The query that
 * counts the rows of a block lists its records (195 KB of its limit of 256 KB).
 */
export const LOG_BLOCK_RECORDS_MAX = 5_000;
/** Fetched and waiting, per partition. */
export const LOG_QUEUE_BYTES_MAX = 16 * 1024 * 1024;
