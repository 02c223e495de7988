import { nodeHttp } from './node-http.ts';

const LINES = new Map<number, string>();

/** `200 OK`, in the form required by uWebSockets.js. */
export function statusLine(status: number): string {
  let line = LINES.get(status);
  if (line === undefined) {
    line = `${status} ${nodeHttp.STATUS_CODES[status] ?? 'Unknown'}`;
    LINES.set(status, line);
  }
  return line;
}
