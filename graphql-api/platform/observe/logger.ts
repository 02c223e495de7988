import { type DestinationStream, type Logger, pino } from 'pino';
import { currentRequestId } from './request-id.ts';

/** Logs JSON lines to stdout. Never log bodies, headers or tokens. */
export function createLogger(level: string): Logger {
  return pino(
    {
      name: 'api',
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { pid: process.pid },
      mixin: () => {
        const requestId = currentRequestId();
        return requestId === undefined ? {} : { requestId };
      },
    },
    oncePerTurn(pino.destination({ dest: 1, sync: true })),
  );
}

/** Writes all lines of one turn of the event loop at once, because a write costs as much as several
 * lines. */
function oncePerTurn(destination: DestinationStream): DestinationStream {
  let lines = '';
  const flush = () => {
    if (lines === '') return;
    const written = lines;
    lines = '';
    destination.write(written);
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}
