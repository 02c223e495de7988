// Measures the time until every thread of ingest uses an edit, and its cost per thread, with many
// keys in the directory. Uses the real follower with its own Postgres, and threads that only hold
// the directory.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { createQuotaMemory, QuotaBoard } from '../ingest/authenticate/quota-board.ts';
import { QuotaSlots } from '../ingest/authenticate/quota-slots.ts';
import { systemClock } from '../ingest/clock.ts';
import { PostgresFollower } from '../ingest/follow-postgres.ts';
import type { ToWorker } from '../ingest/thread-messages.ts';
import { readVersion } from '../schema/environment/build-info.ts';
import type { Bench } from './bench.ts';
import { median } from './measured.ts';
import { onlyPostgres } from './only-postgres.ts';
import type { Row } from './print-table.ts';

const KEYS = 100_000;
const KEYS_PER_WORKSPACE = 2;
const WORKSPACES_PER_ORGANIZATION = 2;
const THREADS = 2;
const EDITS = 20;

type Applied = { readonly atMs: number; readonly busyMs: number; readonly keys: number };

export const directoryBench: Bench = {
  name: 'directory',
  title: `Delay until ${THREADS} threads of ingest apply an edit, with ${KEYS.toLocaleString('en')} SDK keys`,
  run: ({ progress }) =>
    onlyPostgres(async ({ owner, system }) => {
      const client = new pg.Client({ connectionString: owner });
      await client.connect();
      const directory = await mkdtemp(join(tmpdir(), 'engagement-bench-'));
      progress('creating organizations, workspaces, properties and keys');
      await seed(client);
      progress('starting');
      const threads = Array.from(
        { length: THREADS },
        () => new Worker(new URL('./directory-thread.ts', import.meta.url)),
      );
      try {
        return await measure(client, threads, system, join(directory, 'snapshot'), progress);
      } finally {
        await Promise.all(threads.map(thread => thread.terminate()));
        await client.end();
        await rm(directory, { recursive: true, force: true });
      }
    }),
};

async function measure(
  client: pg.Client,
  threads: readonly Worker[],
  databaseUrl: string,
  snapshotPath: string,
  progress: (step: string) => void,
): Promise<Row[]> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const slots = new QuotaSlots(new QuotaBoard(createQuotaMemory()), log);
  const startedAtMs = nowMs();
  const applied = allApply(threads);
  const follower = new PostgresFollower({
    release: readVersion(),
    onSchemaProblem: problem => {
      throw new Error(problem);
    },
    databaseUrl,
    snapshotPath,
    clock: systemClock,
    log,
    onDirectory: (change, data) => {
      slots.assign(data, systemClock.nowMs());
      const message: ToWorker = { kind: 'directory', change, slots: slots.takeChanges() };
      for (const thread of threads) thread.postMessage(message);
    },
    onCampaigns: () => undefined,
    onFirstLook: () => undefined,
  });
  try {
    const rows = [rowOf('start: all keys', [{ startedAtMs, applied: await applied }])];
    for (const [name, statement] of editsOf(await someIds(client))) {
      progress(name);
      const edits: Edit[] = [];
      for (let edit = 0; edit < EDITS; edit++) {
        // At a random time of the interval between two polls, but not in the pause after the last
        // load.
        await systemClock.sleep(600 + Math.random() * 200);
        const applied = allApply(threads);
        await client.query(statement(edit));
        edits.push({ startedAtMs: nowMs(), applied: await applied });
      }
      rows.push(rowOf(name, edits));
    }
    return rows;
  } finally {
    await follower.stop();
  }
}

type Edit = { readonly startedAtMs: number; readonly applied: readonly Applied[] };

function rowOf(name: string, edits: readonly Edit[]): Row {
  const delays = edits.map(({ startedAtMs, applied }) => {
    return Math.max(...applied.map(({ atMs }) => atMs)) - startedAtMs;
  });
  const costs = edits.flatMap(({ applied }) => applied.map(({ busyMs }) => busyMs));
  return {
    edit: name,
    'until all threads use it, ms': rounded(median(delays)),
    'at most, ms': rounded(Math.max(...delays)),
    'of a thread, ms': rounded(median(costs)),
    'of a thread at most, ms': rounded(Math.max(...costs)),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

async function allApply(threads: readonly Worker[]): Promise<Applied[]> {
  const messages = await Promise.all(threads.map(thread => once(thread, 'message')));
  return messages.map(([message]) => message as Applied);
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

type Ids = { readonly key: string; readonly organization: string; readonly workspace: string };

async function someIds(client: pg.Client): Promise<Ids> {
  const { rows } = await client.query<Ids>(
    `SELECT sdk_keys.id AS key, workspaces.id AS workspace, organization_id AS organization
     FROM sdk_keys JOIN workspaces ON workspaces.id = workspace_id LIMIT 1`,
  );
  return rows[0]!;
}

function editsOf({ key, organization, workspace }: Ids) {
  return [
    [
      'caps of a key',
      (edit: number) => `UPDATE sdk_keys SET minute_cap = ${edit + 1} WHERE id = '${key}'`,
    ],
    [
      'a new key',
      (edit: number) => `INSERT INTO sdk_keys (id, workspace_id, name, write_key)
        VALUES (gen_random_uuid(), '${workspace}', 'new', 'wk_new_key_of_the_bench_${edit}')`,
    ],
    [
      'a revoked key',
      (edit: number) =>
        `UPDATE sdk_keys SET revoked_at = now() WHERE write_key = 'wk_new_key_of_the_bench_${edit}'`,
    ],
    [
      'limit of an organization',
      (edit: number) =>
        `UPDATE organizations SET ingress_events_per_minute = ${edit + 1} WHERE id = '${organization}'`,
    ],
    ['a cell', (edit: number) => `UPDATE cells SET is_enabled = ${edit % 2 === 1}`],
  ] as const;
}

/** A tenth of the keys have a cap. */
async function seed(client: pg.Client): Promise<void> {
  const workspaces = KEYS / KEYS_PER_WORKSPACE;
  const id = (kind: number, number: string) =>
    `('0000000${kind}-0000-7000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
  await client.query(`
    INSERT INTO cells (id, slug, region) VALUES (${id(1, '0')}, 'default', 'bench');
    INSERT INTO organizations (id, name) SELECT ${id(2, 'n')}, 'bench'
      FROM generate_series(0, ${workspaces / WORKSPACES_PER_ORGANIZATION - 1}) AS n;
    INSERT INTO workspaces (id, organization_id, cell_id, name)
      SELECT ${id(3, 'n')}, ${id(2, `n / ${WORKSPACES_PER_ORGANIZATION}`)}, ${id(1, '0')}, 'bench'
      FROM generate_series(0, ${workspaces - 1}) AS n;
    INSERT INTO properties (id, workspace_id, name) SELECT ${id(4, 'n')}, ${id(3, 'n')}, 'bench'
      FROM generate_series(0, ${workspaces - 1}) AS n;
    INSERT INTO sdk_keys (id, workspace_id, name, write_key, minute_cap, origins)
      SELECT ${id(5, 'n')}, ${id(3, `n / ${KEYS_PER_WORKSPACE}`)}, 'bench', 'wk_bench_' || lpad(n::text, 12, '0'),
             CASE WHEN n % 10 = 0 THEN 1000 END, ARRAY['https://shop-' || n || '.example']
      FROM generate_series(0, ${KEYS - 1}) AS n;
    ANALYZE;`);
}
