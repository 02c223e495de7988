// CORS. A preflight does not include the key, so it succeeds for every origin that is allowed by
// some active key. The request itself is checked against its own key.

import { problem } from '../../schema/values/problem.ts';
import type { Directory } from '../authenticate/directory.ts';
import type { Incoming } from './incoming.ts';
import { problemReply, type Reply } from './reply.ts';
import type { Endpoint } from './server.ts';

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
/**
 * Allow-lists change, so browsers repeat the preflight after this time. While the allowed origins
 * are not known, a preflight succeeds for one request only, which then returns 502 or 503, and the
 * page can read Retry-After.
 */
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

export function preflightReply(
  directory: Directory | undefined,
  { origin, requestedHeaders }: Pick<Incoming, 'origin' | 'requestedHeaders'>,
  { methods, allowedHeaders = [] }: Pick<Endpoint, 'methods' | 'allowedHeaders'>,
): Reply {
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (origin === '') return emptyReply([['Allow', allow]]);
  if (directory !== undefined && !directory.isOriginAllowedBySomeKey(origin))
    return problemReply(problem('ORIGIN_NOT_ALLOWED'), {}, [['Vary', 'Origin']]);
  const requested = new Set(requestedHeaders.split(',').map(name => name.trim()));
  const further = allowedHeaders.filter(name => requested.has(name.toLowerCase()));
  return emptyReply([
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Allow-Methods', allow],
    ['Access-Control-Allow-Headers', [ALLOWED_HEADERS, ...further].join(', ')],
    ['Access-Control-Max-Age', String(directory === undefined ? 0 : PREFLIGHT_AGE_SECONDS)],
    ['Vary', 'Origin'],
  ]);
}

function emptyReply(headers: Reply['headers']): Reply {
  return { status: 204, body: '', contentType: '', headers };
}
