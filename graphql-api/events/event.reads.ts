// Lists events, newest first. A first query selects the page by the few columns that decide it; a
// second reads the other columns, mainly JSON, of the events on the page only.

import type { Context } from '../platform/context.ts';
import type { Page } from '../platform/database/page.ts';
import { ask } from '../platform/warehouse/ask.ts';
import {
  type EventFilter,
  type EventType,
  eventConditions,
} from '../platform/warehouse/event-filter.ts';
import { encodeCursor, type ListInput, listPage } from '../platform/warehouse/keyset.ts';
import { within } from '../platform/warehouse/report-range.ts';
import { NEAR_ARRIVAL } from './arrival.ts';

/** The time by which events are selected and sorted. */
export type EventTime = 'timestamp' | 'receivedAt';

export type StoredEvent = {
  readonly timestampMs: number;
  readonly messageId: string;
  readonly event: string;
  readonly type: EventType;
  readonly name: string;
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
  readonly correctedAtMs: number;
  readonly anonymousId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly sdkKeyId: string;
  /** JSON texts as sent; empty if not sent. */
  readonly properties: string;
  readonly traits: string;
  readonly context: string;
  readonly extra: string;
  /** The sort order of the list that the event is on; undefined if it is on no list. */
  readonly sortedBy?: EventTime;
};

/** Identifies an event, and sorts events by their timestamp. */
type EventKey = Pick<StoredEvent, 'timestampMs' | 'messageId' | 'event'>;

const BY_TIMESTAMP = ['timestamp', 'message_id', 'event'] as const;
/** A batch has one time of receipt, and can have an ID and a name on two days. */
const BY_RECEIVED_AT = [
  'received_at',
  'message_id',
  'event',
  'toString(toUnixTimestamp64Milli(timestamp))',
] as const;

export async function latestEvents(
  context: Context,
  input: ListInput & EventFilter & { readonly time: EventTime },
): Promise<Page<StoredEvent>> {
  const { time } = input;
  const { conditions, parameters } = eventConditions(input);
  const page = await listPage<EventKey>(context, input, {
    columns: 'toUnixTimestamp64Milli(timestamp) AS timestamp_ms, message_id, event',
    view: 'events',
    ...(time === 'timestamp'
      ? { order: BY_TIMESTAMP, conditions }
      : { order: BY_RECEIVED_AT, conditions: `AND ${NEAR_ARRIVAL} ${conditions}` }),
    parameters,
  });
  const events = await eventsByKeys(context, page.items);
  return { ...page, items: events.map(event => ({ ...event, sortedBy: time })) };
}

export function eventPosition(event: StoredEvent): string {
  if (event.sortedBy !== 'receivedAt') return eventCursor(event);
  const keys = [event.messageId, event.event, String(event.timestampMs)];
  return encodeCursor({ atMs: event.receivedAtMs, keys });
}

export function eventCursor({ timestampMs, messageId, event }: EventKey): string {
  return encodeCursor({ atMs: timestampMs, keys: [messageId, event] });
}

/** Reads full events in the same order. Events that no longer exist are left out. */
export async function eventsByKeys(
  context: Context,
  keys: readonly EventKey[],
): Promise<StoredEvent[]> {
  if (keys.length === 0) return [];
  const times = keys.map(({ timestampMs }) => timestampMs);
  const rows = await ask<StoredEvent>(context, BY_KEYS, {
    fromMs: Math.min(...times),
    toMs: Math.max(...times) + 1,
    events: [...new Set(keys.map(({ event }) => event))],
    messageIds: [...new Set(keys.map(({ messageId }) => messageId))],
  });
  const byKey = new Map(rows.map(row => [eventCursor(row), row]));
  return keys.map(key => byKey.get(eventCursor(key))).filter(row => row !== undefined);
}

const BY_KEYS = `
  SELECT toUnixTimestamp64Milli(timestamp) AS timestamp_ms, message_id, event, type, name,
         toUnixTimestamp64Milli(sent_at) AS sent_at_ms,
         toUnixTimestamp64Milli(received_at) AS received_at_ms,
         toUnixTimestamp64Milli(corrected_at) AS corrected_at_ms,
         anonymous_id, user_id, session_id, sdk_key_id, properties, traits, context, extra
  FROM events
  WHERE workspace_id = {workspaceId:UUID} AND ${within('timestamp')}
    AND event IN {events:Array(String)} AND message_id IN {messageIds:Array(String)}`;
