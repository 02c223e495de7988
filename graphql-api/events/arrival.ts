// Finds events by the time at which they were received, although they are stored by the day of their
// own timestamp. ClickHouse knows the earliest and the latest `received_at` of each stored day, so it
// reads only the days that are needed. The limit bounds what it reads if it does not know them.

import { DAY_MS } from '../../schema/values/durations.ts';

/** Events whose own time is further from their time of receipt are not found. */
export const APART_DAYS_MAX = 31;

/** A condition on `events`, in addition to `within('received_at')`. */
export const NEAR_ARRIVAL = `
  timestamp >= fromUnixTimestamp64Milli({fromMs:Int64} - ${APART_DAYS_MAX * DAY_MS}, 'UTC')
  AND timestamp < fromUnixTimestamp64Milli({toMs:Int64} + ${APART_DAYS_MAX * DAY_MS}, 'UTC')`;
