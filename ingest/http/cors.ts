// CORS. A preflight does not include the key, so it succeeds for every origin that is allowed by
// some active key. The request itself is checked against its own key.

import { problem } from '../../schema/values/problem.ts';
import type { Directory } from '../authenticate/directory.ts';
import { problemReply, type Reply } from './reply.ts';

/** All headers that the spec defines for SDK endpoints, and the headers of a body. */
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
/** Allow-lists change, so browsers repeat the preflight after this time. */
const PREFLIGHT_AGE_SECONDS = 600;

/**
 * Headers that let a page read the response. Credentials are allowed because sendBeacon always
 * includes them; the service ignores cookies.
 */
export function corsHeaders(origin: string): Reply['headers'] {
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Expose-Headers', EXPOSED_HEADERS],
    ['Vary', 'Origin'],
  ];
}

/** `headers`: of the path, besides those of all SDK endpoints. */
export function preflightReply(
  directory: Directory | undefined,
  origin: string,
  methods: readonly string[],
  headers: readonly string[] = [],
): Reply {
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (origin === '') return emptyReply([['Allow', allow]]);
  if (directory === undefined) return openPreflightReply(origin, methods, headers);
  if (!directory.isOriginAllowedBySomeKey(origin))
    return problemReply(problem('ORIGIN_NOT_ALLOWED'), {}, [['Vary', 'Origin']]);
  return emptyReply(preflightHeaders(origin, allow, headers, PREFLIGHT_AGE_SECONDS));
}

/**
 * Applies while the allowed origins are not known. The request itself then returns 502 or 503, and
 * the page can read Retry-After. For that one request only.
 */
export function openPreflightReply(
  origin: string,
  methods: readonly string[],
  headers: readonly string[] = [],
): Reply {
  return emptyReply(preflightHeaders(origin, [...methods, 'OPTIONS'].join(', '), headers, 0));
}

function preflightHeaders(
  origin: string,
  allow: string,
  headers: readonly string[],
  ageSeconds: number,
): Reply['headers'] {
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Allow-Methods', allow],
    ['Access-Control-Allow-Headers', [ALLOWED_HEADERS, ...headers].join(', ')],
    ['Access-Control-Max-Age', String(ageSeconds)],
    ['Vary', 'Origin'],
  ];
}

function emptyReply(headers: Reply['headers']): Reply {
  return { status: 204, body: '', contentType: '', headers };
}
