import { READER } from '../facts/facts-of-event.ts';

/**
 * Events that an earlier release could not read. This release retries each of them once. They stay
 * PARKED until then, so that a process of the earlier release that is still running ignores them.
 */
export const NEWLY_READABLE = `state = 'PARKED' AND error LIKE 'UNREADABLE:%' AND reader < ${READER}`;
