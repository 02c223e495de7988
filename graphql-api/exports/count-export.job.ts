import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { AppDeps } from '../platform/context.ts';
import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob } from '../platform/jobs/job.ts';
import { Rejected } from '../platform/rejected.ts';
import { daysOf } from './days-of.ts';
import { type Bucket, type Chunk, divideDay } from './divide-day.ts';
import type { EventExport } from './export.entity.ts';
import { bucketsStatement } from './export.sql.ts';

/** Keeps the number of chunks in the thousands. */
const EVENTS_MAX = 100_000_000;

/** Divides an export into chunks, day by day. A run continues after the last day that was written. */
export const countEventExport = defineJob({
  name: 'count-event-export',
  data: z.object({ exportId: z.uuid() }),
  async run(context, { exportId }, signal) {
    const { deps } = context;
    for (;;) {
      signal.throwIfAborted();
      const asked = await deps.database.asSystem(em => findUnfinished(em, exportId));
      if (asked === undefined) return;
      context.note({ exportId, days: asked.daysDone, events: asked.eventCount });
      const range = { fromMs: asked.fromAt.getTime(), toMs: asked.toAt.getTime() };
      const day = daysOf(range)[asked.daysDone];
      if (day === undefined) return finish(deps, exportId, null);
      const chunks = await refusedOr(countDay(deps, asked, day));
      if (typeof chunks === 'string') return finish(deps, exportId, chunks);
      const events = chunks.reduce((sum, chunk) => sum + chunk.events, 0);
      if (asked.eventCount + events > EVENTS_MAX) return finish(deps, exportId, 'EXPORT_TOO_LARGE');
      await deps.database.asSystem(em => writeDay(em, asked, chunks));
    }
  },
});

type Unfinished = Pick<
  EventExport,
  | 'id'
  | 'workspaceId'
  | 'names'
  | 'fromAt'
  | 'toAt'
  | 'receivedBefore'
  | 'daysDone'
  | 'chunkCount'
  | 'eventCount'
> & { readonly organizationId: string };

async function findUnfinished(em: EntityManager, id: string): Promise<Unfinished | undefined> {
  const [found] = await rowsOf(
    em,
    sql<Unfinished>`
      SELECT event_exports.id, workspace_id, organization_id, names, from_at, to_at, received_before,
             days_done, chunk_count, event_count
      FROM event_exports JOIN workspaces ON workspaces.id = workspace_id
      WHERE event_exports.id = ${id} AND finished_at IS NULL`,
  );
  return found;
}

function countDay(
  { warehouses }: AppDeps,
  { organizationId, workspaceId, names, receivedBefore }: Unfinished,
  day: { readonly fromMs: number; readonly toMs: number },
): Promise<Chunk[]> {
  return divideDay(day, (range, bucketMs) =>
    warehouses.ask<Bucket>({
      organizationId,
      workspaceId,
      ...bucketsStatement({ ...range, names, receivedBefore }, bucketMs),
    }),
  );
}

/** The code of a refusal that a retry would not avoid. */
async function refusedOr<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { code } = error.rejections[0]!;
    if (code === 'REPORT_UNAVAILABLE') throw error;
    return code;
  }
}

/** Writes nothing if another run has written the day. */
async function writeDay(
  em: EntityManager,
  { id: exportId, workspaceId, daysDone, chunkCount }: Unfinished,
  chunks: readonly Chunk[],
): Promise<void> {
  const written = await rowsOf(
    em,
    sql`
      UPDATE event_exports SET days_done = days_done + 1, chunk_count = chunk_count + ${chunks.length},
        event_count = event_count + ${chunks.reduce((sum, { events }) => sum + events, 0)}
      WHERE id = ${exportId} AND days_done = ${daysDone} AND finished_at IS NULL
      RETURNING 1`,
  );
  if (written.length === 0 || chunks.length === 0) return;
  await kysely(em)
    .insertInto('event_export_chunks')
    .values(
      chunks.map(({ fromMs, toMs, events, fingerprint }, at) => ({
        exportId,
        number: chunkCount + at + 1,
        workspaceId,
        fromAt: new Date(fromMs),
        toAt: new Date(toMs),
        events,
        fingerprint: String(fingerprint),
      })),
    )
    .execute();
}

async function finish(
  { clock, database }: AppDeps,
  exportId: string,
  fault: string | null,
): Promise<void> {
  const now = new Date(clock.nowMs());
  await database.asSystem(em =>
    rowsOf(
      em,
      sql`UPDATE event_exports SET finished_at = ${now}, fault = ${fault}
          WHERE id = ${exportId} AND finished_at IS NULL`,
    ),
  );
}
