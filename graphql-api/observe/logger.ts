import { type Logger, pino } from 'pino';

/** JSON lines on stdout. Fields are named one by one; bodies, headers and tokens never are. */
export function createLogger(level: string): Logger {
  return pino({
    name: 'api',
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { pid: process.pid },
  });
}
