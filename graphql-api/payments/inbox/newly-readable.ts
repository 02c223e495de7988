import { READER } from '../facts/facts-of-event.ts';

/**
 * Events that an earlier release could not read: this one tries each of them once. They stay PARKED until
 * then, so that a process of the earlier release, still running beside this one, leaves them alone.
 */
export const NEWLY_READABLE = `state = 'PARKED' AND error LIKE 'UNREADABLE:%' AND reader < ${READER}`;
