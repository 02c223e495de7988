import { type Logger, pino } from 'pino';

/**
 * JSON lines on stdout. Each field is logged explicitly; request bodies, headers and keys are never
 * logged.
 */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { pid: process.pid },
  });
}
