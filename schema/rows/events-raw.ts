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
  { partitionExpression: 'if(toYear(timestamp) BETWEEN 2015 AND 2049, toYear(timestamp), 0)' },
);

/** Years with their own partition. All other years share one, so that a wrong client clock cannot
 * create many parts. */
const PARTITION_YEAR_MIN = 2015;
const PARTITION_YEAR_MAX = 2049;
const OTHER_YEARS = 0;

const LEAP_YEAR_MS = 366 * 86_400_000;
/** The start of each of these years and of the year after the last. */
const YEAR_STARTS_MS = Array.from({ length: PARTITION_YEAR_MAX - PARTITION_YEAR_MIN + 2 }, (_, i) =>
  Date.UTC(PARTITION_YEAR_MIN + i, 0, 1),
);

/** The partition of an event by its uncorrected timestamp. Must match the table's partition key. */
export function eventPartition(timestampMs: number): number {
  const sinceFirstMs = timestampMs - YEAR_STARTS_MS[0]!;
  if (sinceFirstMs < 0 || timestampMs >= YEAR_STARTS_MS.at(-1)!) return OTHER_YEARS;
  // Assuming only leap years, the index is exact, or one too low in late December.
  let index = Math.floor(sinceFirstMs / LEAP_YEAR_MS);
  if (timestampMs >= YEAR_STARTS_MS[index + 1]!) index++;
  return PARTITION_YEAR_MIN + index;
}
