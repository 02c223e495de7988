const NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The service runs on the viewer's own machine: they are developing. */
export const isOwnMachine = NAMES.has(location.hostname);
