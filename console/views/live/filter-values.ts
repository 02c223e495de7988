// The values of the filters.

export const EVENT_TYPES = ['track', 'identify', 'page', 'screen', 'group', 'alias'] as const;
export type EventType = Uppercase<(typeof EVENT_TYPES)[number]>;

export const FEEDBACK_TYPES = ['impression', 'clicked', 'dismissed'];

/** The reasons for which ingest rejects events and feedback. */
export const CODES = [
  'FIELD_TOO_LONG',
  'INVALID_EVENT',
  'INVALID_FIELD',
  'INVALID_STRING',
  'INVALID_TIMESTAMP',
  'KEY_TOO_LONG',
  'MISSING_FIELD',
  'NESTING_TOO_DEEP',
  'NOT_IN_APP_FEEDBACK',
  'UNKNOWN_EVENT_TYPE',
  'VALUE_TOO_LARGE',
];
