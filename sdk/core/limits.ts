// All limits of the client, with their reasons. Those of a request are the service's: ingest/limits.ts.

/** The service's limit. */
export const BATCH_EVENTS_MAX = 100;
/** The service's limit of 500 KB. */
export const BODY_BYTES_MAX = 500 * 1024;
/** Of the members of a batch beside its events: the key has at most 512 characters. */
export const ENVELOPE_BYTES = 2 * 1024;
/** A browser sends at most 64 KiB for a page that is going away. */
export const LEAVING_BYTES_MAX = 60 * 1024;

/** Enough for days of a busy page; few enough for any device. */
export const QUEUE_ENTRIES_MAX = 10_000;
/** Of a queue in memory, as UTF-8. */
export const QUEUE_BYTES_MAX = 32 * 1024 * 1024;
/** What waits for consent is only in memory, and often discarded. */
export const HELD_ENTRIES_MAX = 1_000;

/** Longer than most devices are offline, and short enough that a full queue is not kept for years. */
export const ENTRY_AGE_MAX_MS = 30 * 24 * 60 * 60 * 1000;

/** No person waits longer between two actions of one visit; the usual value. */
export const SESSION_IDLE_MS = 30 * 60 * 1000;

/** The service answers in milliseconds. After this time, the outcome is unknown. */
export const ANSWER_TIMEOUT_MS = 30_000;
/** The wait after a first failure, which doubles with each further one. */
export const BACKOFF_FIRST_MS = 1_000;
/** A service that is back is found within this time. */
export const BACKOFF_MAX_MS = 5 * 60 * 1000;
/** No longer, whatever a proxy says, so that a mistake there does not silence a client for days. */
export const PAUSE_MAX_MS = 60 * 60 * 1000;
