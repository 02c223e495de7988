// Sends one request. Never rejects.

import type { Answer } from './decide.ts';
import { parseJson } from './json.ts';
import { ANSWER_TIMEOUT_MS } from './limits.ts';

export type Request = {
  readonly path: string;
  readonly body: string;
  /** The page is closing, so the browser completes the request without it. */
  readonly isLeaving?: boolean;
};

export type Post = (request: Request) => Promise<Answer>;

/**
 * /v1/batch needs no preflight, because it is sent as text/plain with the key in the body. Reports have the key
 * in a header, so they need one. `host` has no slash at its end.
 */
export function createPost(host: string, writeKey: string): Post {
  return async ({ path, body, isLeaving = false }) => {
    const isBatch = path === '/v1/batch';
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), ANSWER_TIMEOUT_MS);
    try {
      const response = await fetch(host + path, {
        method: 'POST',
        body,
        headers: isBatch
          ? { 'Content-Type': 'text/plain' }
          : { 'Content-Type': 'application/json', 'X-Service-Write-Key': writeKey },
        // A report is often the last thing before a page is left, and is small.
        keepalive: isLeaving || !isBatch,
        credentials: 'omit',
        // Networks with a sign-in page redirect to that page.
        redirect: 'error',
        signal: abort.signal,
      });
      const text = await response.text();
      return {
        status: response.status,
        retryAfter: response.headers.get('Retry-After'),
        body: parseJson(text),
      };
    } catch {
      return { status: 0 };
    } finally {
      clearTimeout(timer);
    }
  };
}
