/** The process is stopping. The current segment is processed again after the next start. */
export class Stopped extends Error {}
