// Converts the problem numbers of the scanner to public problems.

import { type Problem, problem } from '../../schema/values/problem.ts';
import { STRING_CHARACTERS_MAX } from '../limits.ts';
import { limitProblem } from './limit-problem.ts';
import { EVENT, STRING_FIELDS } from './scan/fields.ts';
import {
  INVALID_TIME,
  LONE_SURROGATE,
  MISSING,
  NOT_AN_OBJECT,
  NUL_CHARACTER,
  STRING_TOO_LONG,
  UNKNOWN_TYPE,
  WRONG_TYPE,
} from './scan/problems.ts';

const FIELD_NAMES = [
  'type',
  'event',
  'name',
  'messageId',
  'timestamp',
  'anonymousId',
  'userId',
  'sessionId',
  'properties',
  'traits',
  'context',
];

/** `number` is a constant of scan/problems.ts. */
export function eventProblem(number: number, field: number): Problem {
  const name = FIELD_NAMES[field]!;
  switch (number) {
    case NOT_AN_OBJECT:
      return problem('INVALID_EVENT');
    case WRONG_TYPE:
      return problem(
        'INVALID_FIELD',
        `${name} must be ${field < STRING_FIELDS ? 'a string' : 'an object'}.`,
      );
    case LONE_SURROGATE:
      return problem('INVALID_STRING', `${name} contains a lone surrogate.`);
    case NUL_CHARACTER:
      return problem('INVALID_STRING', `${name} contains a NUL character.`);
    case STRING_TOO_LONG: {
      const message = `${name} is longer than ${STRING_CHARACTERS_MAX} characters.`;
      return problem('FIELD_TOO_LONG', message);
    }
    case MISSING: {
      const isOfTrack = field === EVENT;
      const message = `${name} is missing or empty${isOfTrack ? '; it is required for track' : ''}.`;
      return problem('MISSING_FIELD', message);
    }
    case UNKNOWN_TYPE:
      return problem('UNKNOWN_EVENT_TYPE');
    case INVALID_TIME:
      return problem('INVALID_TIMESTAMP');
    default:
      return limitProblem(number, name);
  }
}
