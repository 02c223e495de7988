// The events of an export, their order and their columns.

import { eventConditions } from '../platform/warehouse/event-filter.ts';
import { type RangeMs, within } from '../platform/warehouse/report-range.ts';
import type { EventExport } from './export.entity.ts';

type Selection = RangeMs & Pick<EventExport, 'names' | 'receivedBefore'>;

type Statement = {
  readonly query: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** Changes if an event is added or removed, or another copy of a repeated event counts. */
const FINGERPRINT = `toString(groupBitXor(cityHash64(timestamp, event, message_id, received_at)))`;

/** Rows: bucket (its number since 1970), events, fingerprint. Buckets without events are missing. */
export function bucketsStatement(selection: Selection, bucketMs: number): Statement {
  const { where, parameters } = conditionsOf(selection);
  return {
    query: `
      SELECT toInt64(floor(toUnixTimestamp64Milli(timestamp) / {bucketMs:Int64})) AS bucket,
             count() AS events, ${FINGERPRINT} AS fingerprint
      FROM events WHERE ${where}
      GROUP BY bucket ORDER BY bucket`,
    parameters: { ...parameters, bucketMs },
  };
}

/** One row: events, fingerprint. */
export function countStatement(selection: Selection): Statement {
  const { where, parameters } = conditionsOf(selection);
  return {
    query: `SELECT count() AS events, ${FINGERPRINT} AS fingerprint FROM events WHERE ${where}`,
    parameters,
  };
}

/** By time; events of one time by name and message ID, which is unique for a name and a day. */
export function eventsStatement(selection: Selection): Statement {
  const { where, parameters } = conditionsOf(selection);
  return {
    query: `
      SELECT toString(workspace_id) AS workspace_id, toString(property_id) AS property_id,
             toString(sdk_key_id) AS sdk_key_id, toString(type) AS type, toString(event) AS event, name,
             message_id, timestamp, timestamp_text, sent_at, sent_at_text, received_at, corrected_at,
             anonymous_id, user_id, session_id, properties, traits, context, extra, batch_context,
             batch_extra
      FROM (SELECT * FROM events WHERE ${where})
      ORDER BY timestamp, event, message_id`,
    parameters,
  };
}

function conditionsOf({ fromMs, toMs, names, receivedBefore }: Selection) {
  const named = eventConditions({ names: names.length === 0 ? null : names });
  return {
    where: `workspace_id = {workspaceId:UUID} AND ${within('timestamp')}
        AND received_at < fromUnixTimestamp64Milli({receivedBeforeMs:Int64}, 'UTC')
        ${named.conditions}`,
    parameters: {
      ...named.parameters,
      fromMs,
      toMs,
      receivedBeforeMs: receivedBefore.getTime(),
    },
  };
}
