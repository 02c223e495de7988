// Reads the body of a compatible request, and finds its key: clients send it in the body, as the
// user name of Basic auth, in the query, or in several of them.

import { type Problem, problem } from '../../schema/values/problem.ts';
import { type ParsedObject, parseObject } from '../accept/parse-object.ts';
import { decompress, isPlain } from '../http/decompress.ts';
import type { Incoming } from '../http/incoming.ts';
import { checkMediaType } from '../http/media-type.ts';

/** HTTP libraries send this type by default; the body is JSON all the same. */
export function isForm(contentType: string): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType);
}

export async function readRequest(
  incoming: Incoming,
  bytes: Buffer,
): Promise<ParsedObject | Problem> {
  const plain = await plainBody(incoming, bytes);
  return 'code' in plain ? plain : parseObject(plain);
}

/** Without its Content-Encoding. */
export async function plainBody(
  { contentType, contentEncoding }: Incoming,
  bytes: Buffer,
): Promise<Buffer | Problem> {
  const mediaType = isForm(contentType) ? undefined : checkMediaType(contentType);
  if (mediaType !== undefined) return problem(mediaType.code, MEDIA_TYPES);
  return isPlain(contentEncoding) ? bytes : decompress(bytes, contentEncoding);
}

const MEDIA_TYPES =
  'Send the body as application/json, text/plain or application/x-www-form-urlencoded.';

/** Empty if there is none. The body's key wins over headers, as for /v1/batch. */
export function writeKeyOf(incoming: Incoming, value: ParsedObject['value'] | undefined): string {
  const key = value?.writeKey;
  if (typeof key === 'string' && key !== '') return key;
  return basicUser(incoming.authorization) || incoming.writeKey || queryKey(incoming.query);
}

/**
 * Jitsu's keys are an ID and a secret behind a colon, which its client masks in the body. Without a
 * colon, the client refuses to start; the part behind it is ignored here.
 */
export function jitsuKeyOf(incoming: Incoming, value: ParsedObject['value']): string {
  const { writeKey } = value;
  if (typeof writeKey !== 'string') return writeKeyOf(incoming, undefined);
  return writeKeyOf(incoming, { writeKey: writeKey.split(':', 1)[0] });
}

/**
 * The key in the query, of a request that cannot have headers or that requests settings; empty if
 * there is none.
 */
function queryKey(query: string): string {
  return query === '' ? '' : (new URLSearchParams(query).get('writeKey') ?? '');
}

/** The user name of Basic auth; empty if there is none. */
function basicUser(authorization: string): string {
  const encoded = /^basic +(\S+)$/i.exec(authorization)?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? '';
}
