export const SINCE = '2026-01-01T00:00:00Z';

export const BAD_TIME = { codes: ['INVALID_TIMESTAMP'], since: SINCE };

export const MENDED = { ...BAD_TIME, correction: { set: { timestamp: '@received_at' } } };

export const AS_TRACK = {
  codes: ['UNKNOWN_EVENT_TYPE'],
  since: SINCE,
  correction: { set: { type: 'track' } },
};

export const REPORT = 'found tried accepted uncorrectable refused { code events }';

export const NAME = 'rejectedEventsReplay';
