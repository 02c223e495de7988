// Numbers of the problems of an event or a member; the TypeScript side has their messages.

export const NOTHING = 0;
export const NESTING_TOO_DEEP = 1;
export const KEY_TOO_LONG = 2;
export const VALUE_TOO_LARGE = 3;
export const NOT_AN_OBJECT = 4;
export const WRONG_TYPE = 5;
export const LONE_SURROGATE = 6;
export const NUL_CHARACTER = 7;
export const STRING_TOO_LONG = 8;
export const MISSING = 9;
export const UNKNOWN_TYPE = 10;
/** Found by the TypeScript side. */
export const INVALID_TIME = 11;
