import { STATUS_STRINGS, statusOf } from '../../schema/values/problem.ts';
import type { Rejection } from './rejected.ts';

/** Returns `{"detail": …}` with the status and the facts of the first rejection, and the messages of
 * all rejections with its code. */
export function refusalAnswer(rejections: readonly [Rejection, ...Rejection[]]): Response {
  const [first] = rejections;
  const status = statusOf(first.code);
  const headers = new Headers({ 'content-type': 'application/json' });
  const retryAfter = first.facts?.retryAfterSeconds;
  if (typeof retryAfter === 'number') headers.set('retry-after', String(retryAfter));
  if (status === 401) headers.set('www-authenticate', 'Bearer');
  const { retryAfterSeconds: _inHeader, ...facts } = first.facts ?? {};
  const messages = rejections.filter(({ code }) => code === first.code).map(one => one.message);
  const detail = STATUS_STRINGS.has(first.code) ? first.code : messages.join(' ');
  return new Response(JSON.stringify({ detail, ...facts }), { status, headers });
}
