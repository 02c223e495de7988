// Browsers' cross-origin rules. A preflight does not say which key the request will carry, so it
// is answered for every origin that some live key allows; the request itself is held to its key.

import { problem } from '../../schema/values/problem.ts';
import type { Directory } from '../authenticate/directory.ts';
import { problemReply, type Reply } from './reply.ts';

/** All headers the spec names for SDK endpoints, and those that go with a body. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'X-Contact-ID',
  'X-Organization-ID',
  'X-Property-Id',
  'X-Service-Write-Key',
  'X-User-ID',
].join(', ');
const EXPOSED_HEADERS = 'Retry-After, X-Service-Rate-Reset';
/** Allow-lists change; a browser asks again after this long. */
const PREFLIGHT_AGE_SECONDS = 600;

/**
 * Headers that let a page read the answer. Credentials are allowed because sendBeacon always asks
 * for them; no cookie means anything here.
 */
export function corsHeaders(origin: string): Reply['headers'] {
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Expose-Headers', EXPOSED_HEADERS],
    ['Vary', 'Origin'],
  ];
}

export function preflightReply(
  directory: Directory | undefined,
  origin: string,
  methods: readonly string[],
): Reply {
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (origin === '') return emptyReply([['Allow', allow]]);
  if (directory === undefined) return openPreflightReply(origin, methods);
  if (!directory.isOriginAllowedBySomeKey(origin))
    return problemReply(problem('ORIGIN_NOT_ALLOWED'), {}, [['Vary', 'Origin']]);
  return emptyReply(preflightHeaders(origin, allow, PREFLIGHT_AGE_SECONDS));
}

/**
 * While nobody can say which origins are allowed: the request itself is answered with 502 or 503, and
 * the page may read how long to wait. For that one request only.
 */
export function openPreflightReply(origin: string, methods: readonly string[]): Reply {
  return emptyReply(preflightHeaders(origin, [...methods, 'OPTIONS'].join(', '), 0));
}

function preflightHeaders(origin: string, allow: string, ageSeconds: number): Reply['headers'] {
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Allow-Methods', allow],
    ['Access-Control-Allow-Headers', ALLOWED_HEADERS],
    ['Access-Control-Max-Age', String(ageSeconds)],
    ['Vary', 'Origin'],
  ];
}

function emptyReply(headers: Reply['headers']): Reply {
  return { status: 204, body: '', contentType: '', headers };
}
