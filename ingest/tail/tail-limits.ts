// The limits of the live view, with their reasons. Events beyond them are omitted from the view and
// counted; they never delay requests.

/** The length of an event's text. Nearly all events are shorter, and a screen shows far less. */
export const TAIL_ENTRY_BYTES_MAX = 8 * 1024;
/** The maximum length of IDs and names of accepted events. Rejected events may have longer ones. */
export const TAIL_FIELD_CHARACTERS_MAX = 512;
/** Per workspace and thread, for accepted and rejected events each: more than anyone can read. */
export const TAIL_ENTRIES_PER_SECOND = 40;
/**
 * How often threads send their samples, so that events are visible within a second at the cost of a
 * few messages a second.
 */
export const TAIL_TELL_INTERVAL_MS = 250;
/** Each watched workspace costs a little time on each thread, and a ring. */
export const TAIL_WATCHES_MAX = 100;
/** Per workspace: a few seconds of entries, for a client that polls late. */
export const TAIL_RING_ENTRIES_MAX = 500;
/** The same in memory: 50 MB if all workspaces that may be watched have such events. */
export const TAIL_RING_BYTES_MAX = 512 * 1024;
/** How long a poll waits for entries. */
export const TAIL_HOLD_MS = 1_000;
/** Polls that wait at once for one workspace; each process of the control plane has one. */
export const TAIL_ASKERS_MAX = 64;
/** A workspace without a poll for this long is no longer watched. */
export const TAIL_LEASE_MS = 5_000;
