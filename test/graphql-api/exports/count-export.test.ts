// How an export is divided into chunks, and what happens to a job that is interrupted.

import { expect, test } from 'vitest';
import { countEventExport } from '../../../graphql-api/exports/count-export.job.ts';
import { daysOf } from '../../../graphql-api/exports/days-of.ts';
import { type Bucket, divideDay } from '../../../graphql-api/exports/divide-day.ts';
import { EXPIRED_EXPORTS } from '../../../graphql-api/exports/expired-exports.ts';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { kysely } from '../../../graphql-api/platform/database/kysely.ts';
import { createRandom } from '../../harness/random.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useDeps } from '../harness/deps.ts';
import { exportIdOf, furnishExports } from '../harness/export-cases.ts';
import { eventRow, insertRows } from '../harness/report-rows.ts';

const deps = useDeps();
const DAY = { fromMs: Date.UTC(2026, 10, 2, 0, 0, 30), toMs: Date.UTC(2026, 10, 2, 6) };

test('days begin at midnight in UTC, the first and the last may be parts', () => {
  const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour);
  expect(daysOf({ fromMs: at(1, 12), toMs: at(3, 6) })).toEqual([
    { fromMs: at(1, 12), toMs: at(2, 0) },
    { fromMs: at(2, 0), toMs: at(3, 0) },
    { fromMs: at(3, 0), toMs: at(3, 6) },
  ]);
  expect(daysOf({ fromMs: at(1, 0), toMs: at(2, 0) })).toHaveLength(1);
});

test('chunks contain every event once and are within the limit, unless one second exceeds it', async () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = createRandom(seed);
    const eventsMax = 1 + random.below(50);
    const spanMs = random.pick([60_000, 600_000, DAY.toMs - DAY.fromMs]);
    const timesMs = Array.from(
      { length: random.below(300) },
      () => DAY.fromMs + random.below(spanMs),
    );
    const events = timesMs.map(atMs => ({ atMs, hash: BigInt(1 + random.below(2 ** 31)) }));
    const within = (fromMs: number, toMs: number) =>
      events.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    const xor = (some: typeof events) => some.reduce((sum, { hash }) => sum ^ hash, 0n);
    const chunks = await divideDay(
      DAY,
      async ({ fromMs, toMs }, bucketMs) => {
        const groups = Map.groupBy(within(fromMs, toMs), ({ atMs }) => Math.floor(atMs / bucketMs));
        const buckets = [...groups].map(([bucket, some]): Bucket => {
          return { bucket, events: some.length, fingerprint: String(xor(some)) };
        });
        return buckets.toSorted((a, b) => a.bucket - b.bucket);
      },
      eventsMax,
    );
    expect(chunks.reduce((sum, chunk) => sum + chunk.events, 0)).toBe(events.length);
    let endMs = DAY.fromMs;
    for (const { fromMs, toMs, events: count, fingerprint } of chunks) {
      expect(fromMs).toBeGreaterThanOrEqual(endMs);
      expect(toMs).toBeGreaterThan(fromMs);
      expect(toMs).toBeLessThanOrEqual(DAY.toMs);
      endMs = toMs;
      const inside = within(fromMs, toMs);
      expect([count, fingerprint]).toEqual([inside.length, xor(inside)]);
      if (count > eventsMax) expect(toMs - fromMs).toBeLessThanOrEqual(1_000);
    }
  }
});

async function createExport(tenant: Tenant): Promise<string> {
  const [row] = await sql(
    `INSERT INTO event_exports (id, workspace_id, format, from_at, to_at, received_before, day_count,
       created_by, created_at, expires_at)
     VALUES (gen_random_uuid(), $1, 'PARQUET', '2026-11-01', '2026-11-05', now(), 4, 'user-1', now(),
       now() + interval '1 day') RETURNING id`,
    [tenant.workspaceId],
  );
  return row!.id as string;
}

async function chunksOf(exportId: string) {
  return sql(
    `SELECT number, from_at, to_at, events, fingerprint FROM event_export_chunks
     WHERE export_id = $1 ORDER BY number`,
    [exportId],
  );
}

test('an interrupted job continues, and two concurrent ones write each day once', async () => {
  const tenant = await createTenant();
  await insertRows(
    'events_raw',
    ['01', '02', '04'].map(day =>
      eventRow(tenant, {
        timestamp: `2026-11-${day}T10:00:00Z`,
        received_at: '2026-11-10T00:00:00Z',
      }),
    ),
  );
  const run = (exportId: string, signal: AbortSignal, warehouses = deps().warehouses) =>
    countEventExport.run(
      createContext({ ...deps(), warehouses }, 'test', undefined),
      { exportId },
      signal,
    );
  const never = new AbortController().signal;
  const [cut, both] = [await createExport(tenant), await createExport(tenant)];
  const stopping = new AbortController();
  let asked = 0;
  const stoppedAfterTwo: typeof run extends (a: string, b: AbortSignal, c?: infer W) => unknown
    ? NonNullable<W>
    : never = {
    ...deps().warehouses,
    ask: question => {
      if (++asked === 2) stopping.abort();
      return deps().warehouses.ask(question);
    },
  };
  await expect(run(cut, stopping.signal, stoppedAfterTwo)).rejects.toThrow('aborted');
  expect(
    await sql('SELECT days_done, finished_at FROM event_exports WHERE id = $1', [cut]),
  ).toEqual([{ days_done: 2, finished_at: null }]);
  await run(cut, never);
  await Promise.all([run(both, never), run(both, never)]);
  const chunks = await chunksOf(cut);
  expect(chunks).toMatchObject([1, 2, 3].map(number => ({ number, events: 1 })));
  expect(await chunksOf(both)).toEqual(chunks);
  for (const id of [cut, both])
    expect(
      await sql(
        'SELECT days_done, chunk_count, event_count, fault FROM event_exports WHERE id = $1',
        [id],
      ),
    ).toEqual([{ days_done: 4, chunk_count: 3, event_count: 3, fault: null }]);
});

test('expired exports are deleted with their chunks', async () => {
  const [expired, kept] = [await createTenant(), await createTenant()];
  for (const tenant of [expired, kept]) await furnishExports(tenant);
  await sql('UPDATE event_exports SET expires_at = $2 WHERE id = $1', [
    exportIdOf(expired),
    new Date(Date.now() - 1_000),
  ]);
  await deps().database.asSystem(em => EXPIRED_EXPORTS(new Date(), 100).execute(kysely(em)));
  const left = await sql('SELECT id FROM event_exports WHERE id = ANY($1)', [
    [exportIdOf(expired), exportIdOf(kept)],
  ]);
  expect(left).toEqual([{ id: exportIdOf(kept) }]);
  expect(await chunksOf(exportIdOf(expired))).toEqual([]);
  expect(await chunksOf(exportIdOf(kept))).toHaveLength(1);
});
