import type { ZodError, z } from 'zod';
import { type Rejection, rejection } from './rejected.ts';

/** Everything that a contract finds wrong, for the caller to mend at once; each is a sentence. */
export function contractRejections(error: ZodError): readonly [Rejection, ...Rejection[]] {
  const [first, ...others] = error.issues.map(issue => {
    const { path } = issue;
    const message = asSentence(messageOf(issue));
    return rejection('BAD_USER_INPUT', {
      message: path.length > 0 ? `${path.join('.')}: ${message}` : message,
      ...(path.length > 0 && { field: path.map(String) }),
    });
  });
  return [first ?? rejection('BAD_USER_INPUT'), ...others];
}

/** Of a field that is not there, or of another type, the same is said everywhere. */
function messageOf(issue: z.core.$ZodIssue): string {
  const isUnworded = issue.code === 'invalid_type' && issue.message.startsWith('Invalid input');
  return isUnworded ? `is missing or no ${issue.expected}` : issue.message;
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
