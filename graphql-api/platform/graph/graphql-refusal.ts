import { refusalAnswer } from '../refusal-answer.ts';
import type { Rejection } from '../rejected.ts';
import { publicCodeOf } from './public-errors.ts';

/** The response to a request that is rejected before GraphQL executes it, with REST's status and headers. */
export function graphqlRefusal(why: Rejection, requestId: string): Response {
  const { status, headers } = refusalAnswer([why]);
  const { code, message } = why;
  const publicCode = publicCodeOf(code);
  const reason = code === publicCode ? {} : { reason: code };
  const extensions = { code: publicCode, ...reason, requestId };
  return new Response(JSON.stringify({ errors: [{ message, extensions }] }), { status, headers });
}
