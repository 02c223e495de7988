// The bounds of the live view, each with its reason. What is beyond them is left out of the view and
// counted, never held up.

/** Of one event's text: nearly all events are smaller, and a screen shows far less. */
export const TAIL_ENTRY_BYTES_MAX = 8 * 1024;
/** As long as ids and names of accepted events may be; refused ones may have longer. */
export const TAIL_FIELD_CHARACTERS_MAX = 512;
/** Of one workspace and thread, accepted and refused ones each: more than anybody can read. */
export const TAIL_ENTRIES_PER_SECOND = 40;
/** How often threads tell what they took: what comes is seen within a second, at a few messages a
 * second. */
export const TAIL_TELL_INTERVAL_MS = 250;
/** Each takes a little of each thread's time, and a ring. */
export const TAIL_WATCHES_MAX = 100;
/** Of one workspace: a few seconds' worth, for an asker that is late. */
export const TAIL_RING_ENTRIES_MAX = 500;
/** The same in memory: 50 MB when all that may be watched have such events. */
export const TAIL_RING_BYTES_MAX = 512 * 1024;
/** How long an asker is kept waiting for something to come. */
export const TAIL_HOLD_MS = 1_000;
/** Askers that wait at once for one workspace; one a process of the control plane. */
export const TAIL_ASKERS_MAX = 64;
/** A workspace that nobody has asked about for this long is watched no more. */
export const TAIL_LEASE_MS = 5_000;
