import type { Warehouses } from '../../platform/warehouse/clickhouse.ts';
import { IN_GROUP } from '../rejected-group.reads.ts';

export type RejectedFilter = {
  readonly organizationId: string;
  readonly workspaceId: string;
  /** Matches any of the codes. */
  readonly codes: readonly string[];
  /** The key of the only group to match. */
  readonly group?: string | null | undefined;
  /** The hash of the body of the only event to match. */
  readonly hash?: string | null | undefined;
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
};

/** A rejected event in full, with the context and times of its batch. */
export type RejectedEvent = {
  readonly propertyId: string;
  readonly sdkKeyId: string;
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: string;
  readonly batchContext: string;
  readonly receivedAt: string;
  /** The hash of the body, by which the table deduplicates events. */
  readonly hash: string;
};

/** The next page starts after this event. */
export type Position = Pick<RejectedEvent, 'receivedAt' | 'hash'>;

/** Bodies of other endpoints are not events, and a rejection by the warehouse stores a row. */
const BASE = `workspace_id = {workspaceId:UUID} AND code IN {codes:Array(String)} AND endpoint = '/v1/batch'
  AND code != 'WAREHOUSE_REFUSED'
  AND received_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
  AND received_at < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')`;

function whereOf({ group, hash }: RejectedFilter): string {
  const narrower = [
    group != null && IN_GROUP,
    hash != null && 'reinterpretAsUInt128(sipHash128(body)) = toUInt128({hash:String})',
  ];
  return [BASE, ...narrower.filter(Boolean)].join(' AND ');
}

/** The client for queries to a workspace's warehouse. */
export type Asks = Pick<Warehouses, 'ask'>;

export async function countRejected(warehouses: Asks, filter: RejectedFilter): Promise<number> {
  const [row] = await warehouses.ask<{ found: number }>({
    ...rejectedBy(filter),
    query: `SELECT toUInt32(count()) AS found FROM rejected_events WHERE ${whereOf(filter)}`,
  });
  return row?.found ?? 0;
}

/** Reads events in order of arrival, so that events of one batch are adjacent. */
export function readRejected(
  warehouses: Asks,
  filter: RejectedFilter,
  after: Position | undefined,
  count: number,
): Promise<RejectedEvent[]> {
  const { parameters, ...workspace } = rejectedBy(filter);
  const position = `(received_at, hash) >
    (fromUnixTimestamp64Milli({afterMs:Int64}, 'UTC'), {afterHash:String})`;
  return warehouses.ask<RejectedEvent>({
    ...workspace,
    query: `SELECT property_id AS propertyId, sdk_key_id AS sdkKeyId, message_id AS messageId, body,
                   sent_at_text AS sentAt, batch_context AS batchContext,
                   formatDateTime(received_at, '%FT%T.%fZ') AS receivedAt,
                   hex(sipHash128(body)) AS hash
            FROM rejected_events
            WHERE ${whereOf(filter)} ${after === undefined ? '' : `AND ${position}`}
            ORDER BY received_at, hash LIMIT {count:UInt32}`,
    parameters: {
      ...parameters,
      count,
      ...(after && { afterMs: Date.parse(after.receivedAt), afterHash: after.hash }),
    },
  });
}

function rejectedBy({ organizationId, workspaceId, ...filter }: RejectedFilter) {
  const { codes, group, hash, sinceMs, untilMs } = filter;
  return { organizationId, workspaceId, parameters: { codes, group, hash, sinceMs, untilMs } };
}
