import type { ZodError, z } from 'zod';
import { type Rejection, rejection } from './rejected.ts';

/** Converts all issues of a contract to rejections; each message is a sentence. */
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

/** The same message for every field that is missing or has another type. */
function messageOf(issue: z.core.$ZodIssue): string {
  const hasDefaultMessage =
    issue.code === 'invalid_type' && issue.message.startsWith('Invalid input');
  return hasDefaultMessage
    ? `is missing or not ${article(issue.expected)} ${issue.expected}`
    : issue.message;
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a';
}
