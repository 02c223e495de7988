// Counts the items that wait in Postgres, for the metrics: jobs, rows for ingest, webhooks, gateway
// events.

import { JOB_QUEUE_SCHEMA } from '../../schema/environment/job-queue.ts';
import type { AppDeps } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import type { Job } from '../platform/jobs/job.ts';
import { DEAD_LETTERS } from '../platform/jobs/job-queue.ts';
import { repeat } from '../platform/jobs/repeat.ts';

type BacklogWatch = { stop(): Promise<void> };
type WatchDeps = Pick<AppDeps, 'database' | 'log' | 'metrics'>;

/** Less than a scrape interval. The queries read a few index pages while little is waiting. */
const INTERVAL_MS = 5_000;
/** Bounds the cost of counting a large backlog. */
const COUNTED_MAX = 10_000;

const JOBS = sql.table(`${JOB_QUEUE_SCHEMA}.job`);
/** By the value of the label: the rows that wait, and since when. */
const BACKLOGS = {
  outbox_rows: sql`SELECT created_at AS since FROM ingest_outbox WHERE failed_at IS NULL`,
  refused_outbox_rows: sql`SELECT failed_at AS since FROM ingest_outbox
    WHERE failed_at IS NOT NULL`,
  dead_letters: sql`SELECT created_on AS since FROM ${JOBS}
    WHERE name = ${DEAD_LETTERS} AND state = 'created'`,
  gateway_events: sql`SELECT received_at AS since FROM gateway_events
    WHERE state IN ('RECEIVED', 'FAILED')`,
  parked_gateway_events: sql`SELECT received_at AS since FROM gateway_events
    WHERE state = 'PARKED'`,
  webhook_events: sql`SELECT created_at AS since FROM outbound_events WHERE fanned_out_at IS NULL`,
  webhook_deliveries: sql`SELECT created_at AS since FROM webhook_deliveries
    WHERE state = 'PENDING'`,
  failing_webhook_endpoints: sql`SELECT failing_since AS since FROM webhook_endpoints
    WHERE state = 'ENABLED' AND failing_since IS NOT NULL`,
} as const;

type Found = { readonly name: string; readonly items: number; readonly seconds: number };

export function watchBacklogs(deps: WatchDeps, jobs: readonly Job[]): BacklogWatch {
  const stopping = new AbortController();
  const look = async () => {
    try {
      await setGauges(deps, jobs);
    } catch (error) {
      forget(deps);
      throw error;
    }
    return 'wait' as const;
  };
  const watching = repeat(look, {
    intervalMs: INTERVAL_MS,
    retryMsMax: INTERVAL_MS,
    signal: stopping.signal,
    // Other loops report that Postgres is unavailable.
    onFailure: error => deps.log.debug({ reason: String(error) }, 'backlogs could not be read'),
  });
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

async function setGauges({ database, metrics }: WatchDeps, jobs: readonly Job[]): Promise<void> {
  const { backlogs, queues } = await database.asSystem(async em => {
    const counts = Object.entries(BACKLOGS).map(
      ([name, rows]) => sql`SELECT ${name} AS name, count(*)::int AS items,
        coalesce(extract(epoch FROM now() - min(since)), 0)::float8 AS seconds
        FROM (${rows} LIMIT ${COUNTED_MAX}) AS waiting`,
    );
    return {
      backlogs: await rowsOf(em, sql<Found>`${sql.join(counts, sql` UNION ALL `)}`),
      queues: await rowsOf(
        em,
        sql<Found>`
          SELECT name, count(*)::int AS items,
                 extract(epoch FROM now() - min(start_after))::float8 AS seconds
          FROM ${JOBS} WHERE name = ANY(${jobs.map(({ name }) => name)})
            AND state < 'active' AND start_after < now()
          GROUP BY name`,
      ),
    };
  });
  for (const { name, items, seconds } of backlogs) {
    metrics.backlogItems.set({ backlog: name }, items);
    // Timestamps of other machines may be slightly ahead.
    metrics.backlogOldestSeconds.set({ backlog: name }, Math.max(0, seconds));
  }
  const waiting = new Map(queues.map(queue => [queue.name, queue]));
  for (const { name: queue } of jobs) {
    metrics.jobsWaiting.set({ queue }, waiting.get(queue)?.items ?? 0);
    metrics.jobsOldestSeconds.set({ queue }, waiting.get(queue)?.seconds ?? 0);
  }
  metrics.postgresReachable.set(1);
}

/** Outdated values would make the service look healthy. */
function forget({ metrics }: WatchDeps): void {
  metrics.postgresReachable.set(0);
  metrics.backlogItems.reset();
  metrics.backlogOldestSeconds.reset();
  metrics.jobsWaiting.reset();
  metrics.jobsOldestSeconds.reset();
}
