import { DAY_MS } from '../values/durations.ts';
import { warehouseTable } from './table.ts';

/** All stored copies of events from /v1/batch; see migrations/clickhouse/0001_events.sql. */
export const EVENTS_RAW = warehouseTable(
  1,
  'events_raw',
  {
    workspace_id: 'UUID',
    property_id: 'UUID',
    sdk_key_id: 'UUID',
    type: 'String',
    event: 'String',
    name: 'String',
    message_id: 'String',
    timestamp: "DateTime64(3, 'UTC')",
    timestamp_text: 'String',
    sent_at: "DateTime64(3, 'UTC')",
    sent_at_text: 'String',
    received_at: "DateTime64(3, 'UTC')",
    corrected_at: "DateTime64(3, 'UTC')",
    anonymous_id: 'String',
    user_id: 'String',
    session_id: 'String',
    properties: 'String',
    traits: 'String',
    context: 'String',
    extra: 'String',
    batch_context: 'String',
    batch_extra: 'String',
  },
  {
    partitionExpression:
      'if(toUnixTimestamp64Milli(received_at) >= intDiv(toUnixTimestamp64Milli(timestamp), 86400000) * 86400000 + 108000000' +
      ' OR intDiv(toUnixTimestamp64Milli(timestamp), 86400000) > intDiv(toUnixTimestamp64Milli(received_at), 86400000) + 1' +
      ', 0, toUInt16(intDiv(toUnixTimestamp64Milli(timestamp), 86400000)))',
  },
);

/** The partition of events whose day is closed, or too far in the future. */
const LATE = 0;
/**
 * A day is closed this long after it began. By then, at 06:00 UTC of the next day, most devices that were
 * offline overnight have sent their events.
 */
const CLOSED_AFTER_MS = 30 * 3_600_000;
/** Client clocks and time zones are never a whole day ahead. */
const DAYS_AHEAD_MAX = 1;

/**
 * The partition of an event, by its uncorrected timestamp and the time of receipt: the day, in days
 * since 1970, or LATE. ClickHouse also puts an event of a day into the lane of late events if it is
 * inserted after the day was closed. That holds for all rows of a block or for none, because they
 * are of one day. So a block is one part.
 */
export function eventPartition(timestampMs: number, receivedAtMs: number): number {
  const day = Math.floor(timestampMs / DAY_MS);
  if (receivedAtMs >= day * DAY_MS + CLOSED_AFTER_MS) return LATE;
  return day > Math.floor(receivedAtMs / DAY_MS) + DAYS_AHEAD_MAX ? LATE : day;
}
