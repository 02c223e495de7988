/** The process is stopping; the segment at hand is done again after the next start. */
export class Stopped extends Error {}
