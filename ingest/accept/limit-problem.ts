import { type Problem, problem } from '../../schema/values/problem.ts';
import { KEY_CHARACTERS_MAX, NESTING_LEVELS_MAX, VALUE_BYTES_MAX } from '../limits.ts';
import { KEY_TOO_LONG, NESTING_TOO_DEEP } from './scan/problems.ts';

/**
 * The public problems of the limits on properties, traits and context. `limit` is a constant of
 * scan/problems.ts.
 */
export function limitProblem(limit: number, field: string): Problem {
  if (limit === NESTING_TOO_DEEP) {
    const message = `${field} is nested deeper than ${NESTING_LEVELS_MAX} levels (the object itself is level 1, and arrays count as levels).`;
    return problem('NESTING_TOO_DEEP', message);
  }
  if (limit === KEY_TOO_LONG) {
    const message = `${field} has a key longer than ${KEY_CHARACTERS_MAX} characters.`;
    return problem('KEY_TOO_LONG', message);
  }
  const message = `${field} has a value larger than ${VALUE_BYTES_MAX} bytes.`;
  return problem('VALUE_TOO_LARGE', message);
}
