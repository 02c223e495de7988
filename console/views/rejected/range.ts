import type { RangeLimits } from '../../pieces/range/range.ts';

/** The maximum of the API for lists. */
const DAYS_MAX = 31;

export const LIMITS: RangeLimits = {
  presets: ['hour', 'day', 'yesterday', 'week'],
  presetDefault: 'week',
  daysMax: DAYS_MAX,
};
