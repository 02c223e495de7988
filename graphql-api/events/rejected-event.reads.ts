// Lists rejected events, newest first, and counts them by error code. Events are stored in full;
// the body is read only if selected, because it is most of the data.

import { DAY_MS } from '../../schema/values/durations.ts';
import type { Context } from '../platform/context.ts';
import type { Page } from '../platform/database/page.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { requireText } from '../platform/warehouse/event-filter.ts';
import { encodeCursor, type ListInput, listPage } from '../platform/warehouse/keyset.ts';
import {
  type ReportRange,
  requireRange,
  SERIES_DAYS_MAX,
  within,
} from '../platform/warehouse/report-range.ts';
import { IN_GROUP, MESSAGES } from './rejected-group.reads.ts';

export type RejectedEvent = {
  readonly code: string;
  readonly endpoint: string;
  /** The hash of the body. Together with code and endpoint, it identifies the event. */
  readonly hash: string;
  readonly message: string;
  readonly messageId: string;
  readonly batchIndex: number;
  readonly sdkKeyId: string;
  readonly receivedAtMs: number;
};

export type RejectedCode = {
  readonly code: string;
  readonly count: number;
  readonly firstSeenAtMs: number;
  readonly lastSeenAtMs: number;
  readonly endpoints: readonly string[];
  readonly messages: readonly string[];
  /** The newest events. The first call reads the samples of all codes in one query. */
  readonly samples: () => Promise<readonly RejectedEvent[]>;
};

/** Enough to recognize the fault. */
export const SAMPLES_MAX = 3;
/** More than the number of endpoints. */
const ENDPOINTS_MAX = 20;

const COLUMNS = `code, endpoint, toString(body_hash) AS hash, message, message_id, batch_index,
  sdk_key_id, toUnixTimestamp64Milli(received_at) AS received_at_ms`;

export async function rejectedCodes(
  context: Context,
  input: { readonly range: ReportRange },
): Promise<readonly RejectedCode[]> {
  const range = requireRange(input.range, SERIES_DAYS_MAX);
  const rows = await ask<Omit<RejectedCode, 'samples'>>(
    context,
    `SELECT code, count() AS count, toUnixTimestamp64Milli(min(received_at)) AS first_seen_at_ms,
            toUnixTimestamp64Milli(max(received_at)) AS last_seen_at_ms,
            arraySort(groupUniqArray(${ENDPOINTS_MAX})(endpoint)) AS endpoints,
            ${MESSAGES} AS messages
     FROM rejected_events
     WHERE workspace_id = {workspaceId:UUID} AND ${within('received_at')}
     GROUP BY code ORDER BY count DESC, code`,
    range,
  );
  let reading: Promise<RejectedEvent[]> | undefined;
  const samples = async (code: string) => {
    reading ??= ask<RejectedEvent>(
      context,
      `SELECT ${COLUMNS} FROM rejected_events_by_hash
       WHERE workspace_id = {workspaceId:UUID} AND ${within('received_at')}
       ORDER BY code, received_at DESC, hash DESC LIMIT ${SAMPLES_MAX} BY code`,
      range,
    );
    return (await reading).filter(sample => sample.code === code);
  };
  return rows.map(row => ({ ...row, samples: () => samples(row.code) }));
}

export async function rejectedEvents(
  context: Context,
  input: ListInput & Readonly<Partial<Record<'code' | 'group', string | null | undefined>>>,
): Promise<Page<RejectedEvent>> {
  const { code, group } = input;
  for (const text of [code, group]) requireText(text);
  const conditions = [
    code != null && 'AND code = {code:String}',
    group != null && `AND ${IN_GROUP}`,
  ].filter(Boolean);
  return listPage<RejectedEvent>(context, input, {
    columns: COLUMNS,
    view: 'rejected_events_by_hash',
    order: ['received_at', 'code', 'endpoint', 'toString(body_hash)'],
    conditions: conditions.join(' '),
    parameters: { code, group },
  });
}

export function rejectedEventCursor({ receivedAtMs, code, endpoint, hash }: RejectedEvent): string {
  return encodeCursor({ atMs: receivedAtMs, keys: [code, endpoint, hash] });
}

type RejectedBody = { readonly hash: string; readonly body: string };

/** The bodies as sent, by hash. Events with the same hash have the same body, regardless of the code. */
export async function rejectedBodies(
  context: Context,
  hashes: readonly string[],
): Promise<readonly RejectedBody[]> {
  return ask<RejectedBody>(
    context,
    `SELECT hash, any(text) AS body FROM (
       SELECT toString(body_hash) AS hash, body AS text FROM rejected_events_by_hash
       WHERE workspace_id = {workspaceId:UUID}
         AND body_hash IN (SELECT toUInt128(arrayJoin({hashes:Array(String)})))
     ) GROUP BY hash`,
    { hashes },
  );
}

/** Bounds the search for an accepted event; without it, every day of the workspace would be read. */
export const ACCEPTED_DAYS = 31;

type Rejection = Pick<RejectedEvent, 'messageId' | 'receivedAtMs'>;

/** Identifies an event for `acceptedByPlaces`. */
export function placeOf({ messageId, receivedAtMs }: Rejection): string {
  return `${receivedAtMs} ${messageId}`;
}

/** Those whose message ID belongs to an accepted event of about the same time. */
export async function acceptedByPlaces(
  context: Context,
  places: readonly string[],
): Promise<readonly { readonly place: string }[]> {
  const rejections = places.map(place => {
    const end = place.indexOf(' ');
    return { place, receivedAtMs: Number(place.slice(0, end)), messageId: place.slice(end + 1) };
  });
  const times = rejections.map(({ receivedAtMs }) => receivedAtMs);
  const accepted = await ask<{ readonly messageId: string }>(
    context,
    `SELECT DISTINCT message_id FROM events
     WHERE workspace_id = {workspaceId:UUID} AND message_id IN {messageIds:Array(String)}
       AND ${within('timestamp')}`,
    {
      messageIds: rejections.map(({ messageId }) => messageId),
      fromMs: Math.min(...times) - ACCEPTED_DAYS * DAY_MS,
      toMs: Math.max(...times) + ACCEPTED_DAYS * DAY_MS,
    },
  );
  const found = new Set(accepted.map(({ messageId }) => messageId));
  return rejections.filter(({ messageId }) => found.has(messageId));
}
