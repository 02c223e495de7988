// Journeys of the maximum size: a million people in flight with four send nodes each. Measures the
// number of sends per second that are resolved, rendered and audited, and the latency of forcing a
// rollout, reading pins and archiving a pinned template.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { readConfig } from '../graphql-api/app/config.ts';
import { createAppDeps } from '../graphql-api/app/create-app-deps.ts';
import { advanceJourney } from '../graphql-api/journeys/advance/advance-journey.ts';
import { pinsByVersions } from '../graphql-api/journeys/pin.reads.ts';
import { templateRolloutForce } from '../graphql-api/journeys/rollout.force.ts';
import { type AppDeps, type Context, createContext } from '../graphql-api/platform/context.ts';
import { Rejected } from '../graphql-api/platform/rejected.ts';
import { runAction } from '../graphql-api/platform/run-action.ts';
import { templateArchive } from '../graphql-api/templates/template.archive.ts';
import type { Bench } from './bench.ts';
import { type Measured, quantileMs, rateOf } from './measured.ts';
import { type DatabaseUrls, onlyPostgres } from './only-postgres.ts';
import type { Row } from './print-table.ts';

const PEOPLE = 1_000_000;
const SEND_NODES = 4;
/** The number of concurrent batches: one is read while the other is written. */
const WORKERS = 2;
const ASKED = 20;
/** The warehouse is not used here. */
const NOWHERE = 'http://127.0.0.1:1';

type Ids = {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly journeyId: string;
  readonly templateIds: readonly string[];
  /** The versions to which all people are pinned, one per template. */
  readonly pinnedIds: readonly string[];
  /** The Active versions, one per template. */
  readonly activeIds: readonly string[];
};

export const templatesBench: Bench = {
  name: 'templates',
  title: `Journeys (${PEOPLE.toLocaleString('en-US')} people in flight, ${SEND_NODES} send nodes each, in one process, with Postgres on the same machine)`,
  run: async ({ seconds, progress }) => {
    progress('starting Postgres');
    return onlyPostgres(urls => measure(urls, seconds, progress));
  },
};

async function measure(
  urls: DatabaseUrls,
  seconds: number,
  progress: (step: string) => void,
): Promise<readonly Row[]> {
  progress('people enter');
  const ids = await seed(urls.owner);
  const deps = await createAppDeps(
    readConfig({
      DATABASE_APP_URL: urls.app,
      DATABASE_SYSTEM_URL: urls.system,
      DATABASE_POOL_MAX: '8',
      CLICKHOUSE_URL: NOWHERE,
      AUTH_JWT_SECRET: randomBytes(32).toString('base64'),
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      LOG_LEVEL: 'warn',
    }),
  );
  try {
    progress('what operators wait for');
    const asked = [
      await ask('forced rollout', index => force(deps, ids, index)),
      await ask('pins of four versions', () => lookAtPins(deps, ids)),
      await ask('deletion refused: people are pinned', () => refusedDeletion(deps, ids)),
    ];
    progress('sends');
    return [await sends(deps, ids, seconds), ...asked];
  } finally {
    await deps.database.close();
  }
}

async function sends(deps: AppDeps, { journeyId }: Ids, seconds: number): Promise<Row> {
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + seconds * 1000;
  let count = 0;
  const worker = async () => {
    while (performance.now() < endsAtMs) {
      const beganAtMs = performance.now();
      count += (await advanceJourney(deps, journeyId)).sends;
      latenciesMs.push(performance.now() - beganAtMs);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  const durationMs = performance.now() - startedAtMs;
  return {
    scenario: 'sends resolved, rendered and audited (a batch of 1,000 people at a time)',
    'per second': Math.round((count / durationMs) * 1000),
    ...quantiles({ latenciesMs, seconds: durationMs / 1000, failed: 0 }),
  };
}

async function ask(scenario: string, work: (index: number) => Promise<unknown>): Promise<Row> {
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  for (let index = 0; index < ASKED; index++) {
    const beganAtMs = performance.now();
    await work(index);
    latenciesMs.push(performance.now() - beganAtMs);
  }
  const measured = { latenciesMs, seconds: (performance.now() - startedAtMs) / 1000, failed: 0 };
  return { scenario, 'per second': Math.round(rateOf(measured)), ...quantiles(measured) };
}

function quantiles(measured: Measured): Row {
  return { 'p50 ms': quantileMs(measured, 0.5), 'p99 ms': quantileMs(measured, 0.99) };
}

function ownerContext(deps: AppDeps, { organizationId, workspaceId }: Ids): Context {
  const roles = new Set(['owner'] as const);
  return createContext(deps, uuidv7(), { userId: 'bench', organizationId, workspaceId, roles });
}

/** Alternates between the old and the new version, so that each run has an effect. */
function force(deps: AppDeps, ids: Ids, index: number): Promise<unknown> {
  const id = index % 2 === 0 ? ids.activeIds[0]! : ids.pinnedIds[0]!;
  return runAction(ownerContext(deps, ids), templateRolloutForce, { id });
}

async function lookAtPins(deps: AppDeps, ids: Ids): Promise<void> {
  const context = ownerContext(deps, ids);
  const pins = await pinsByVersions(context, ids.pinnedIds);
  await context.finish();
  if (pins.some(({ pinnedCount }) => pinnedCount !== PEOPLE))
    throw new Error('the pins are incorrect');
}

async function refusedDeletion(deps: AppDeps, ids: Ids): Promise<void> {
  try {
    await runAction(ownerContext(deps, ids), templateArchive, { id: ids.templateIds[0]! });
  } catch (error) {
    if (error instanceof Rejected) return;
    throw error;
  }
  throw new Error('a pinned version was deleted');
}

async function seed(ownerUrl: string): Promise<Ids> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const some = () => Array.from({ length: SEND_NODES }, () => uuidv7());
  const ids = {
    organizationId: uuidv7(),
    workspaceId: uuidv7(),
    journeyId: uuidv7(),
    templateIds: some(),
    pinnedIds: some(),
    activeIds: some(),
  };
  const { organizationId, workspaceId, journeyId } = ids;
  try {
    await client.query(
      `INSERT INTO cells (id, slug, region) VALUES (gen_random_uuid(), 'bench', 'bench')`,
    );
    await client.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [
      organizationId,
      'Bench',
    ]);
    await client.query(
      `INSERT INTO workspaces (id, organization_id, cell_id, name)
       SELECT $1, $2, id, 'Bench' FROM cells WHERE slug = 'bench'`,
      [workspaceId, organizationId],
    );
    for (const [index, templateId] of ids.templateIds.entries())
      await insertTemplate(client, ids, index, templateId);
    await insertJourney(client, ids);
    await client.query(
      `INSERT INTO contacts (id, workspace_id, user_id, traits)
       SELECT uuidv7(), $1, 'person-' || n, '{"name": "Asha", "plan": "pro"}'
       FROM generate_series(1, $2::integer) AS n`,
      [workspaceId, PEOPLE],
    );
    await client.query(
      `INSERT INTO enrolments (id, workspace_id, journey_id, snapshot_id, contact_id, node_id, next_at)
       SELECT uuidv7(), $1, $2, snapshot.id, contacts.id, 'send0', now()
       FROM contacts, journey_snapshots AS snapshot WHERE contacts.workspace_id = $1`,
      [workspaceId, journeyId],
    );
    await client.query('VACUUM ANALYZE');
    return ids;
  } finally {
    await client.end();
  }
}

/** A template with a version to which all people are pinned, and a version that superseded it. */
async function insertTemplate(
  client: pg.Client,
  { workspaceId, pinnedIds, activeIds }: Ids,
  index: number,
  templateId: string,
): Promise<void> {
  await client.query(
    `INSERT INTO templates (id, workspace_id, name, created_by) VALUES ($1, $2, 'Bench', 'bench')`,
    [templateId, workspaceId],
  );
  const versions = [pinnedIds[index]!, activeIds[index]!];
  for (const [at, id] of versions.entries()) {
    await client.query(
      `INSERT INTO template_versions (id, template_id, workspace_id, channel, language, number, category,
         body, variables, content_hash, change_source, created_by, submission_id, approved_at, activated_at)
       VALUES ($1, $2, $3, 'messaging_app', 'en', $4, 'utility', 'Dear {{name}}, your order is on its way.',
         '[{"name": "name", "type": "text", "isRequired": true, "fallback": null, "sample": "Asha"}]',
         'bench', 'CREATED', 'bench', gen_random_uuid(), now(), now())`,
      [id, templateId, workspaceId, at + 1],
    );
    const states = ['Submitted', 'Approved', 'Active', ...(at === 0 ? ['Superseded'] : [])];
    for (const state of states)
      await client.query('UPDATE template_versions SET state = $2 WHERE id = $1', [id, state]);
  }
}

async function insertJourney(client: pg.Client, ids: Ids): Promise<void> {
  const { workspaceId, journeyId, templateIds, pinnedIds } = ids;
  const [definitionId, snapshotId] = [uuidv7(), uuidv7()];
  const nodes = templateIds.map((templateId, index) => ({
    id: `send${index}`,
    kind: 'send',
    templateId,
    channel: 'messaging_app',
    language: 'en',
    next: index + 1 < SEND_NODES ? `send${index + 1}` : 'end',
  }));
  await client.query(
    `INSERT INTO journeys (id, workspace_id, name, status, created_by)
     VALUES ($1, $2, 'Bench', 'ACTIVE', 'bench')`,
    [journeyId, workspaceId],
  );
  await client.query(
    `INSERT INTO journey_definitions (id, journey_id, workspace_id, number, nodes, created_by)
     VALUES ($1, $2, $3, 1, $4, 'bench')`,
    [definitionId, journeyId, workspaceId, JSON.stringify([...nodes, { id: 'end', kind: 'end' }])],
  );
  await client.query(
    `INSERT INTO journey_snapshots (id, journey_id, workspace_id, definition_id, hash)
     VALUES ($1, $2, $3, $4, repeat('a', 64))`,
    [snapshotId, journeyId, workspaceId, definitionId],
  );
  await client.query(
    `INSERT INTO journey_snapshot_pins (snapshot_id, node_id, workspace_id, version_id)
     SELECT $1, 'send' || (at - 1), $2, id FROM unnest($3::uuid[]) WITH ORDINALITY AS pin (id, at)`,
    [snapshotId, workspaceId, pinnedIds],
  );
}
