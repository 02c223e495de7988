// Lists rejected events, newest first, and counts them by error code. Events are stored in full;
// the body is read only if selected, because it is most of the data.

import type { Context } from '../platform/context.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { requireText } from '../platform/warehouse/event-filter.ts';
import { encodeCursor, keysetPage } from '../platform/warehouse/keyset.ts';
import {
  LIST_DAYS_MAX,
  type ReportRange,
  requireRange,
  SERIES_DAYS_MAX,
  within,
} from '../platform/warehouse/report-range.ts';

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
  readonly events: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly endpoints: readonly string[];
  /** The newest events. The first call reads the samples of all codes in one query. */
  readonly samples: () => Promise<readonly RejectedEvent[]>;
};

/** Enough to recognize the fault. */
export const SAMPLES_MAX = 3;
/** More than the number of endpoints. */
const ENDPOINTS_MAX = 20;

const COLUMNS = `code, endpoint, toString(body_hash) AS hash, message, message_id AS "messageId",
  batch_index AS "batchIndex", sdk_key_id AS "sdkKeyId",
  toUnixTimestamp64Milli(received_at) AS "receivedAtMs"`;

export async function rejectedCodes(
  context: Context,
  asked: ReportRange,
): Promise<readonly RejectedCode[]> {
  const range = requireRange(asked, SERIES_DAYS_MAX);
  const rows = await ask<Omit<RejectedCode, 'samples'>>(
    context,
    `SELECT code, count() AS events, toUnixTimestamp64Milli(min(received_at)) AS "firstSeenMs",
            toUnixTimestamp64Milli(max(received_at)) AS "lastSeenMs",
            arraySort(groupUniqArray(${ENDPOINTS_MAX})(endpoint)) AS endpoints
     FROM rejected_events
     WHERE workspace_id = {workspaceId:UUID} AND ${within('received_at')}
     GROUP BY code ORDER BY events DESC, code`,
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

export type RejectedEventsInput = PageRequest & {
  readonly range: ReportRange;
  readonly code?: string | null | undefined;
};

export async function rejectedEvents(
  context: Context,
  input: RejectedEventsInput,
): Promise<Page<RejectedEvent>> {
  const { code } = input;
  requireText(code);
  const range = requireRange(input.range, LIST_DAYS_MAX);
  return keysetPage<RejectedEvent>(range, input, 3, (part, after, limit) => {
    const [afterCode, afterEndpoint, afterHash] = after?.keys ?? [];
    const position = after && { afterMs: after.atMs, afterCode, afterEndpoint, afterHash };
    return ask(
      context,
      `SELECT ${COLUMNS} FROM rejected_events_by_hash
       WHERE workspace_id = {workspaceId:UUID} AND ${within('received_at')}
         ${code == null ? '' : 'AND code = {code:String}'} ${after ? AFTER : ''}
       ORDER BY received_at DESC, code DESC, endpoint DESC, hash DESC LIMIT {limit:UInt32}`,
      { ...part, ...position, code, limit },
    );
  });
}

const AFTER = `AND (received_at, code, endpoint, toString(body_hash))
  < (fromUnixTimestamp64Milli({afterMs:Int64}, 'UTC'),
     {afterCode:String}, {afterEndpoint:String}, {afterHash:String})`;

export function rejectedEventCursor({ receivedAtMs, code, endpoint, hash }: RejectedEvent): string {
  return encodeCursor({ atMs: receivedAtMs, keys: [code, endpoint, hash] });
}

export type RejectedBody = { readonly hash: string; readonly body: string };

/** The bodies as sent, by hash. Events with the same hash have the same body, whatever the code. */
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
