import type { z } from 'zod';
import { PROBLEMS, type Problem, type ProblemCode, problem } from '../../schema/values/problem.ts';
import type { ParsedObject } from './parse-object.ts';

/**
 * Parses the body by its contract, or returns its first problem: limits first, then fields in the
 * order of the contract.
 */
export function checkContract<Schema extends z.ZodType>(
  schema: Schema,
  body: ParsedObject,
): { readonly value: z.output<Schema> } | Problem {
  if (body.breach !== undefined) return body.breach;
  const parsed = schema.safeParse(body.value, { reportInput: true });
  if (parsed.success) return { value: parsed.data };
  return problemOf(parsed.error.issues[0]!);
}

type Issue = z.core.$ZodIssue;

function problemOf(issue: Issue): Problem {
  const field = issue.path.join('.');
  const subject = field === '' ? 'The body' : field;
  if (isMissing(issue)) return problem('MISSING_FIELD', `${subject} is missing or empty.`);
  if (issue.code === 'custom') {
    const code = codeOf(issue.params?.code);
    return problem(code, field === '' ? issue.message : `${subject} ${issue.message}`);
  }
  return problem('INVALID_FIELD', `${subject} ${expectation(issue)}`);
}

function isMissing(issue: Issue): boolean {
  if (issue.code === 'invalid_value' && issue.input === '') return true;
  return (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input == null;
}

function codeOf(code: unknown): ProblemCode {
  return typeof code === 'string' && code in PROBLEMS ? (code as ProblemCode) : 'INVALID_FIELD';
}

function expectation(issue: Issue): string {
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}.`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}.`;
  return `is not valid: ${issue.message}`;
}

function article(type: string): string {
  const name = type === 'record' ? 'object' : type;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}
