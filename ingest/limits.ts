// Every bound of ingest, with its reason. Reaching one is a clear answer or a metric, never a
// silent drop.

/** Spec, Limits of /v1/batch: 500 KB, 1 KB = 1,024 bytes; counted on the decompressed body. */
export const BODY_BYTES_MAX = 500 * 1024;
/** The gateway's events have one to three kilobytes; anyone may send one for us to look at. */
export const GATEWAY_BODY_BYTES_MAX = 128 * 1024;
/** Spec, Limits of /v1/batch. */
export const BATCH_EVENTS_MAX = 100;
/** Spec, Limits of /v1/batch: the properties object itself is level 1, arrays count. */
export const NESTING_LEVELS_MAX = 5;
/** Spec, Limits of /v1/batch, in Unicode characters. */
export const KEY_CHARACTERS_MAX = 256;
/** Spec, Limits of /v1/batch: 10 KB of decoded UTF-8 a value. */
export const VALUE_BYTES_MAX = 10 * 1024;
/**
 * The batch's own context and its unknown members, together: they stand in each of its rows, so a
 * batch may not grow a hundredfold by them.
 */
export const ENVELOPE_BYTES_MAX = 16 * 1024;
/** Ids and names; long enough for any SDK's ids, short enough for a sort key. */
export const STRING_CHARACTERS_MAX = 512;

/** Beyond this difference the client's clock is wrong rather than the network slow. */
export const CLOCK_SKEW_TOLERATED_MS = 5 * 60 * 1000;

/**
 * A segment is one ClickHouse block per table and partition: the larger, the less there is to merge.
 * ClickHouse holds a block in memory while it sorts it.
 */
export const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;
/** Well under ClickHouse's max_insert_block_size (1,048,449), so that a block stays one part. */
export const SEGMENT_ROWS_MAX = 250_000;
/**
 * Segments that wait go to ClickHouse as one block, up to SEGMENT_BYTES_MAX together (of the smallest
 * rows, too, that is fewer than max_insert_block_size) and this many: the statement that asks how much
 * of them is there names each one (20 KB of the 256 KB it may have).
 */
export const GROUP_SEGMENTS_MAX = 500;
/** An event is queryable about this long after its acknowledgement. */
export const SEGMENT_AGE_MAX_MS = 1_000;
/** A segment that was filled this far by then is worth waiting for: ClickHouse has most to merge then. */
export const SEGMENT_BYTES_WORTHWHILE = 8 * 1024 * 1024;
/** How long. */
export const WORTHWHILE_AGE_MAX_MS = 2_000;
/** Bytes waiting for the disk, per thread and cell; beyond it requests are refused with 503. */
export const PENDING_BYTES_MAX = 64 * 1024 * 1024;
/** Bodies being read or worked on, per thread; beyond it requests are refused with 503 unread. */
export const OPEN_BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Per thread; SDKs keep connections open, so further ones are closed rather than queued. */
export const CONNECTIONS_MAX = 20_000;
/** Segments are kept this long after their insert: ClickHouse may lose parts it had not synced. */
export const RETENTION_MS = 30 * 60 * 1000;
/** Kept segments use at most this part of SPOOL_MAX_BYTES, beside what is unsent. */
export const RETAINED_SHARE_MAX = 0.25;
/** Free space kept on the spool's disk, so that cursors and new segments can still be written. */
export const DISK_RESERVE_BYTES = 256 * 1024 * 1024;

/** One attempt to insert a block; after it the outcome counts as unknown. */
export const INSERT_TIMEOUT_MS = 60_000;
/** Probes and other small questions to ClickHouse. */
export const QUESTION_TIMEOUT_MS = 15_000;
/** A server that is reachable takes far less, also across regions. */
export const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Waits between attempts double up to this. With a time-out to connect and the wait for a connection
 * before it, work begins again within 5 s of a database being back, however long it was away.
 */
export const RETRY_WAIT_MAX_MS = 1_500;

/** A segment that the disk does not give back is tried for a minute before it is set aside. */
export const UNREADABLE_TRIES_MAX = 40;

/** Message ids remembered by a node: 2^20 of 16 bytes are 16 MiB of shared memory. */
export const RECENT_IDS_MAX = 1 << 20;

/** That a key was used is known to people this much later at most; each time is a message and, once
 * a minute, a write. */
export const KEY_USES_INTERVAL_MS = 10_000;

/** Time for in-flight requests once the process stops taking new ones. */
export const DRAIN_REQUESTS_MS = 10_000;
/** Time to hand the last segments to ClickHouse on the way out; the rest goes out after a restart. */
export const DRAIN_INSERTS_MS = 10_000;

/** What a client is told to wait when a cell is away, its spool is full, or a process stops. */
export const RETRY_AFTER_SECONDS = 5;

/** Of a request's head: what browsers may have of cookies for a domain, several times over. As in
 * Node.js, which forwards it in development. */
export const HEAD_BYTES_MAX = 16 * 1024;
