// The numbers of the fields of an event. The first eight are strings, the others objects.

export const TYPE = 0;
export const EVENT = 1;
export const NAME = 2;
export const MESSAGE_ID = 3;
export const TIMESTAMP = 4;
export const ANONYMOUS_ID = 5;
export const USER_ID = 6;
export const SESSION_ID = 7;
export const PROPERTIES = 8;
export const TRAITS = 9;
export const CONTEXT = 10;
export const STRING_FIELDS = 8;
