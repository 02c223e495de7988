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
  if (directory === undefined) return problemReply(problem('UNAVAILABLE', undefined, 1));
  if (!directory.isOriginAllowedBySomeKey(origin))
    return problemReply(problem('ORIGIN_NOT_ALLOWED'), {}, [['Vary', 'Origin']]);
  return emptyReply([
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Allow-Methods', allow],
    ['Access-Control-Allow-Headers', ALLOWED_HEADERS],
    ['Access-Control-Max-Age', String(PREFLIGHT_AGE_SECONDS)],
    ['Vary', 'Origin'],
  ]);
}

function emptyReply(headers: Reply['headers']): Reply {
  return { status: 204, body: '', contentType: '', headers };
}
