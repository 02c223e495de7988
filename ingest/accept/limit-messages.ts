import { KEY_CHARACTERS_MAX, NESTING_LEVELS_MAX, VALUE_BYTES_MAX } from '../limits.ts';
import type { LimitBreach } from './json-scanner.ts';

/** Public texts of the limits on properties, traits and context. */
export const LIMIT_MESSAGES: Record<LimitBreach, (field: string) => string> = {
  NESTING_TOO_DEEP: field =>
    `${field} is nested deeper than ${NESTING_LEVELS_MAX} levels (the object itself is level 1, arrays count).`,
  KEY_TOO_LONG: field => `${field} has a key longer than ${KEY_CHARACTERS_MAX} characters.`,
  VALUE_TOO_LARGE: field => `${field} has a value larger than ${VALUE_BYTES_MAX} bytes.`,
};
