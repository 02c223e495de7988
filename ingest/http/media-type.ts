import { type Problem, problem } from '../../schema/values/problem.ts';

/**
 * JSON, text/plain (which sendBeacon can send without a preflight), or no type. The body is JSON in
 * every case.
 */
export function checkMediaType(contentType: string): Problem | undefined {
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const isTaken = type === '' || type === 'application/json' || type === 'text/plain';
  return isTaken || type.endsWith('+json') ? undefined : problem('UNSUPPORTED_MEDIA_TYPE');
}
