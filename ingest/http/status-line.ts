import { STATUS_CODES } from 'node:http';

const LINES = new Map<number, string>();

/** `200 OK`, in the form required by uWebSockets.js. */
export function statusLine(status: number): string {
  let line = LINES.get(status);
  if (line === undefined) {
    line = `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;
    LINES.set(status, line);
  }
  return line;
}
