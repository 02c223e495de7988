import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';

export const silentLog: Logger = pino({ level: 'silent' });

/** A real logger that keeps its lines in memory. */
export function keptLog(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  return { log: pino(stream), lines };
}
