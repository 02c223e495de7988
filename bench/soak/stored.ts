// Compares the stored events with the acknowledged ones, batch by batch.

import { setTimeout as wait } from 'node:timers/promises';
import { EVENT_OF_MESSAGE_ID, EVENTS_PER_BATCH, organizationOf } from './batches.ts';
import type { Sent } from './event-load.ts';
import { askClickHouse, readMetrics, totalOf } from './samples.ts';
import type { SoakService } from './service.ts';

/** The rows of a batch that one organization sees in the view `events`. */
export type StoredBatch = {
  readonly organization: number;
  readonly batch: number;
  readonly rows: number;
  readonly events: number;
};

export type Compared = {
  readonly rows: number;
  /** Acknowledged, but not in the view. */
  readonly lost: number;
  /** Rows of an event beyond its first. */
  readonly duplicated: number;
  /** Rows of events that were never sent, or were sent by another organization. */
  readonly unknown: number;
};

const LOOK_MS = 2_000;
/** Ingest delivers far faster than this, unless ClickHouse is unavailable. */
const DELIVERY_MAX_MS = 600_000;

export function compareBatches(
  { acknowledged, batches }: Pick<Sent, 'acknowledged' | 'batches'>,
  stored: readonly StoredBatch[],
): Compared {
  let [rows, duplicated, unknown] = [0, 0, 0];
  let lost =
    acknowledged.reduce((sum, isAcknowledged) => sum + isAcknowledged, 0) * EVENTS_PER_BATCH;
  for (const one of stored) {
    rows += one.rows;
    const isSent = one.batch < batches && organizationOf(one.batch) === one.organization;
    if (!isSent) unknown += one.rows;
    else {
      duplicated += one.rows - one.events;
      if (acknowledged[one.batch] === 1) lost -= one.events;
    }
  }
  return { rows, lost, duplicated, unknown };
}

/** The load must have ended. */
export async function checkStored(
  service: SoakService,
  sent: Sent,
  signal: AbortSignal,
): Promise<Compared> {
  await untilDelivered(service, signal);
  const stored: StoredBatch[] = [];
  for (const [organization, { workspaceId }] of service.organizations.entries()) {
    // One organization at a time: it is the first column of the table's order.
    const text = await askClickHouse(
      service.clickhouseUrl,
      `SELECT intDiv(${EVENT_OF_MESSAGE_ID} AS event, ${EVENTS_PER_BATCH}) AS batch, count(), uniqExact(event)
       FROM (SELECT message_id FROM events WHERE workspace_id = '${workspaceId}') GROUP BY batch`,
    );
    for (const line of text.split('\n').filter(Boolean)) {
      const [batch, rows, events] = line.split('\t').map(Number);
      stored.push({ organization, batch: batch!, rows: rows!, events: events! });
    }
  }
  const events = compareBatches(sent, stored);
  const feedback = await compareFeedback(service, sent.feedback);
  return {
    rows: events.rows + feedback.rows,
    lost: events.lost + feedback.lost,
    duplicated: events.duplicated + feedback.duplicated,
    unknown: events.unknown,
  };
}

async function compareFeedback(
  { clickhouseUrl, organizations }: SoakService,
  acknowledged: number,
): Promise<Omit<Compared, 'unknown'>> {
  const text = await askClickHouse(
    clickhouseUrl,
    `SELECT count(), uniqExact(event_key) FROM in_app_events
     WHERE workspace_id = '${organizations[0]!.workspaceId}'`,
  );
  const [rows, distinct] = text.split('\t').map(Number);
  return {
    rows: rows!,
    lost: Math.max(0, acknowledged - distinct!),
    duplicated: rows! - distinct!,
  };
}

/** Events that are not delivered by then count as lost. */
async function untilDelivered({ operationsUrls }: SoakService, signal: AbortSignal): Promise<void> {
  const endsMs = performance.now() + DELIVERY_MAX_MS;
  // Twice, because a thread's counts may be from before its last response.
  for (let delivered = 0; delivered < 2 && performance.now() < endsMs; ) {
    await wait(LOOK_MS, undefined, { signal });
    const metrics = await readMetrics(operationsUrls.ingest);
    const waiting =
      totalOf(metrics, 'ingest_spool_unsent_bytes') + totalOf(metrics, 'ingest_rows_waiting');
    delivered = waiting === 0 ? delivered + 1 : 0;
    if (delivered === 2) return;
  }
  process.stderr.write('Some events are not delivered yet; they count as lost.\n');
}
