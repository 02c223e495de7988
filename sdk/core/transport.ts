// One request, whatever becomes of it.

import type { Answer } from './decide.ts';
import { parseJson } from './json.ts';
import { ANSWER_TIMEOUT_MS } from './limits.ts';

export type Request = {
  readonly path: string;
  readonly body: string;
  /** The page is going away, so the browser finishes the request without it. */
  readonly isLeaving?: boolean;
};

export type Post = (request: Request) => Promise<Answer>;

/**
 * As text/plain with the key in the body, /v1/batch needs no preflight. Reports have the key in a header
 * and do. `host` has no slash at its end.
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
        // A network that asks to sign in redirects to a page of its own.
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
