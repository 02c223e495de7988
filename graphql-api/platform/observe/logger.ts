import { type DestinationStream, type Logger, pino } from 'pino';

/** JSON lines on stdout. Fields are named one by one; bodies, headers and tokens never are. */
export function createLogger(level: string): Logger {
  return pino(
    {
      name: 'api',
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { pid: process.pid },
    },
    oncePerTurn(pino.destination({ dest: 1, sync: true })),
  );
}

/** The lines of one turn of the event loop in one write: on a busy process each write costs as much as
 * several lines. */
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
