import { refusalAnswer } from '../refusal-answer.ts';
import type { Rejection } from '../rejected.ts';
import { publicCodeOf } from './public-errors.ts';

/** What a request is refused with that GraphQL never saw: the same status and headers as REST's. */
export function graphqlRefusal(why: Rejection, requestId: string): Response {
  const { status, headers } = refusalAnswer([why]);
  const { code, message } = why;
  const publicCode = publicCodeOf(code);
  const reason = code === publicCode ? {} : { reason: code };
  const extensions = { code: publicCode, ...reason, requestId };
  return new Response(JSON.stringify({ errors: [{ message, extensions }] }), { status, headers });
}
