// Counts the stored copies of sent events. events_raw contains the rows of every insert; the view
// `events` is what analysts see.

import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { IngestProcess } from './ingest-process.ts';
import { metrics, sumOf } from './metrics.ts';
import { rows } from './warehouse.ts';

export type Queryable = {
  rows<T>(query: string, parameters?: Record<string, unknown>): Promise<T[]>;
};

/** The ClickHouse that all tests of a run share. */
export const sharedWarehouse: Queryable = { rows };

export type Tally = {
  readonly missing: string[];
  readonly doubled: string[];
  readonly neverSent: string[];
};

export const EACH_ONCE: Tally = { missing: [], doubled: [], neverSent: [] };

export async function tally(
  clickhouse: Queryable,
  table: 'events' | 'events_raw',
  workspaceId: string,
  sent: Iterable<string>,
): Promise<Tally> {
  const found = await clickhouse.rows<{ message_id: string; copies: string | number }>(
    `SELECT message_id, count() AS copies FROM ${table}
     WHERE workspace_id = {workspaceId:UUID} GROUP BY message_id`,
    { workspaceId },
  );
  const copies = new Map(found.map(row => [row.message_id, Number(row.copies)]));
  const ids = new Set(sent);
  return {
    missing: [...ids].filter(id => !copies.has(id)),
    doubled: [...copies].filter(([, count]) => count > 1).map(([id]) => id),
    neverSent: [...copies.keys()].filter(id => !ids.has(id)),
  };
}

/** Resolves when ingest has nothing left to send; counts before that are meaningless. */
export async function untilDrained(ingest: IngestProcess): Promise<void> {
  await eventually(async () =>
    expect(sumOf(await metrics(ingest), /^ingest_spool_bytes$/)).toBe(0),
  );
}
