import { type Logger, pino } from 'pino';

/** JSON lines on stdout. Fields are named one by one; request bodies, headers and keys never are. */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { pid: process.pid },
  });
}
