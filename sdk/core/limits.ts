// All limits of the client, with their reasons. The limits of a request are those of the service: ingest/limits.ts.

/** The service's limit. */
export const BATCH_EVENTS_MAX = 100;
/** The service's limit of 500 KB. */
export const BODY_BYTES_MAX = 500 * 1024;
/** Reserved for the members of a batch other than its events; the key has at most 512 characters. */
export const ENVELOPE_BYTES = 2 * 1024;
/** A browser sends at most 64 KiB for a page that is closing. */
export const LEAVING_BYTES_MAX = 60 * 1024;

/** Enough for days of a busy page; few enough for any device. */
export const QUEUE_ENTRIES_MAX = 10_000;
/** The size of a queue in memory, in UTF-8. */
export const QUEUE_BYTES_MAX = 32 * 1024 * 1024;
/** Events that wait for consent are only in memory, and are often discarded. */
export const HELD_ENTRIES_MAX = 1_000;

/** Longer than most devices are offline, and short enough that a full queue is not kept for years. */
export const ENTRY_AGE_MAX_MS = 30 * 24 * 60 * 60 * 1000;

/** A person rarely waits longer between two actions of one visit. The usual value. */
export const SESSION_IDLE_MS = 30 * 60 * 1000;

/** The service answers in milliseconds. After this time, the outcome is unknown. */
export const ANSWER_TIMEOUT_MS = 30_000;
/** The wait after a first failure, which doubles with each further one. */
export const BACKOFF_FIRST_MS = 1_000;
/** The maximum time until the client notices that the service is available again. */
export const BACKOFF_MAX_MS = 5 * 60 * 1000;
/**
 * The longest wait that is accepted from a response, so that a misconfigured proxy does not stop a client for
 * days.
 */
export const PAUSE_MAX_MS = 60 * 60 * 1000;
