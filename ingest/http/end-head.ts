import type { HttpResponse } from 'uWebSockets.js';

/**
 * With a length, uWebSockets.js waits for a body of that length and drops the connection at the
 * next request, so the length is sent as an ordinary header.
 */
export function endHead(response: HttpResponse, length: number, closes: boolean): void {
  if (closes) {
    response.endWithoutBody(length, true);
    return;
  }
  response.writeHeader('Content-Length', String(length));
  response.endWithoutBody();
}
