import { connect } from 'node:net';
import type { IngestProcess } from '../harness/ingest-process.ts';

const DEADLINE_MS = 120_000;
/** A server that sends nothing for this long is waiting for more bytes. */
const QUIET_MS = 700;

/**
 * Writes the bytes, and closes the sending side after a response, or if none arrives for a while.
 * Resolves with everything received when the server has closed the connection; rejects if it never
 * does.
 */
export function exchange(ingest: IngestProcess, bytes: string | Uint8Array): Promise<string> {
  const { port, hostname } = new URL(ingest.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let text = '';
    const quiet = setTimeout(() => socket.end(), QUIET_MS);
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The server hangs after: ${text}`));
    }, DEADLINE_MS);
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      text += part;
      quiet.refresh();
    });
    // A server that refuses a request may reset the connection while bytes are in transit.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(quiet);
      clearTimeout(deadline);
      resolve(text);
    });
    socket.write(bytes);
  });
}

export function statuses(text: string): number[] {
  return Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status));
}
