// Random sequences of all operations on templates and journeys, run in the service and in a small
// model. After each step both must have the same states, pins, positions and sends. SEED=n runs
// only one failing sequence.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { journeyEnrol } from '../../../graphql-api/journeys/enrolment.actions.ts';
import { pinsByVersions } from '../../../graphql-api/journeys/pin.reads.ts';
import { RESOLUTION_REASONS } from '../../../graphql-api/templates/resolve-version.ts';
import { templateArchive } from '../../../graphql-api/templates/template.archive.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createRandom } from '../../harness/random.ts';
import { contextOf, createDeps, type TestDeps } from '../harness/deps.ts';
import { emptyModel, type Model } from './model.ts';
import { STEPS } from './steps.ts';
import { createWorld, furnish, type World } from './world.ts';

const isLong = process.env.TEST_LONG === '1';
const one = process.env.SEED;
const seed = Number(one ?? Math.floor(Math.random() * 2 ** 31));
const sequences = one === undefined ? (isLong ? 10_000 : 50) : 1;
/** A few sequences may miss a rare reason. In that case more are run, up to this number. */
const sequencesMax = one === undefined ? Math.max(sequences, 800) : 1;
const STEPS_MAX = 12;
/** Sequences run at the same time, each in its own workspace. */
const AT_ONCE = 4;
/** Other reasons may be missing from a small number of sequences. */
const USUAL_REASONS = ['forced', 'pin', 'pin_unsendable'];
const START_MS = Date.UTC(2026, 10, 21);
/**
 * Without 'active': people for whom no version can be pinned do not enter, so nobody lacks a pin.
 */
const ALL_REASONS = RESOLUTION_REASONS.filter(reason => reason !== 'active');

let deps: TestDeps;
let databaseUrl: string;

/** With its own database, so that no other process advances its journeys. */
beforeAll(async () => {
  const urls = await ownDatabase();
  databaseUrl = urls.owner;
  deps = await createDeps({
    DATABASE_APP_URL: urls.app,
    DATABASE_SYSTEM_URL: urls.system,
    DATABASE_POOL_MAX: '8',
    CLICKHOUSE_URL: inject('clickhouseUrl'),
  });
});

afterAll(async () => {
  await deps.warehouses.close();
  await deps.database.close();
});

test(`pins hold, and sends follow the contract's order (SEED=${seed}, ${sequences} sequences)`, {
  timeout: isLong ? 4 * 60 * 60 * 1000 : 600_000,
}, async () => {
  const reasons = new Set<string>();
  const steps = new Set<string>();
  const usual = isLong ? ALL_REASONS : USUAL_REASONS;
  const isCovered = () =>
    usual.every(reason => reasons.has(reason)) && steps.size === Object.keys(STEPS).length;
  let next = 0;
  const worker = async () => {
    while (next < sequences || (next < sequencesMax && !isCovered())) {
      const sequenceSeed = seed + next++;
      const model = await runSequence(sequenceSeed, steps).catch(error => {
        throw new Error(`SEED=${sequenceSeed}`, { cause: error });
      });
      for (const { reason } of model.sends) reasons.add(reason);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (one !== undefined) return;
  // Fails if the sequences never reach the interesting states.
  expect([...steps].toSorted()).toEqual(Object.keys(STEPS).toSorted());
  expect([...reasons]).toEqual(expect.arrayContaining([...usual]));
});

async function runSequence(sequenceSeed: number, done: Set<string>): Promise<Model> {
  const random = createRandom(sequenceSeed);
  const model = emptyModel(START_MS);
  const ownDeps = { ...deps, clock: { nowMs: () => model.nowMs } };
  const world = await createWorld(ownDeps, databaseUrl);
  await furnish(world, model);
  const names = Object.keys(STEPS);
  const often = ['send', 'send', 'send', 'enrol', 'enrol', 'publish', 'publish', 'recall', 'pin'];
  const weighted = [...names, ...often];
  const trail: string[] = [];
  for (let step = 0; step < STEPS_MAX; step++) {
    model.nowMs += 1000;
    // Deletes are rare, because a deleted template ends most further steps.
    const chosen = random.pick(weighted);
    const name = chosen === 'delete' && random.below(3) > 0 ? 'send' : chosen;
    trail.push(name);
    done.add(name);
    try {
      await STEPS[name]!(world, model, random);
      await check(world, model);
    } catch (error) {
      throw new Error(`after ${trail.join(', ')}`, { cause: error });
    }
  }
  await checkCounts(world, model);
  return model;
}

/** A single statement, because it runs after every step. */
const LOOK = `
  SELECT
    (SELECT coalesce(jsonb_object_agg(id, state), '{}') FROM template_versions WHERE workspace_id = $1) AS states,
    (SELECT coalesce(jsonb_object_agg(id, state || ' ' || node_id), '{}') FROM enrolments WHERE workspace_id = $1) AS positions,
    (SELECT coalesce(jsonb_object_agg(enrolments.id || ' ' || pin.node_id, version_id), '{}')
     FROM enrolments JOIN journey_snapshot_pins AS pin USING (snapshot_id)
     WHERE enrolments.workspace_id = $1) AS pins,
    (SELECT coalesce(jsonb_agg(concat_ws(' ', row ->> 'enrolment_id', row ->> 'node_id',
        row ->> 'version_id', row ->> 'reason')), '[]')
     FROM ingest_outbox WHERE workspace_id = $1 AND table_name = 'send_audits_raw') AS sends`;

type Look = {
  readonly states: Record<string, string>;
  readonly positions: Record<string, string>;
  readonly pins: Record<string, string>;
  readonly sends: readonly string[];
};

async function check({ query, tenant }: World, model: Model): Promise<void> {
  const [found] = (await query(LOOK, [tenant.workspaceId])) as [Look];
  expect(found.states).toEqual(Object.fromEntries(model.versions.map(v => [v.id, v.state])));
  const nodesOf = (journeyId: string) => model.journeys.find(({ id }) => id === journeyId)!.nodes;
  expect(found.positions).toEqual(
    Object.fromEntries(
      model.enrolments.map(({ id, end, isWaiting, journeyId, at }) => [
        id,
        `${end ?? (isWaiting ? 'WAITING' : 'READY')} ${nodesOf(journeyId)[at]!.id}`,
      ]),
    ),
  );
  const pins = model.enrolments.flatMap(({ id, pins: held }) =>
    [...held].map(([nodeId, versionId]) => [`${id} ${nodeId}`, versionId]),
  );
  expect(found.pins).toEqual(Object.fromEntries(pins));
  const sends = model.sends.map(
    ({ enrolmentId, nodeId, versionId, reason }) =>
      `${enrolmentId} ${nodeId} ${versionId} ${reason}`,
  );
  expect(found.sends.toSorted()).toEqual(sends.toSorted());
}

async function checkCounts({ deps: ownDeps, tenant }: World, model: Model): Promise<void> {
  const context = contextOf(ownDeps, tenant);
  const ids = model.versions.map(({ id }) => id);
  const counted = await pinsByVersions(context, ids);
  await context.finish();
  const inFlight = model.enrolments.filter(({ end }) => end === undefined);
  const expected = ids.map(id => {
    const pinned = inFlight.filter(({ pins }) => [...pins.values()].includes(id));
    const oldest = Math.min(...pinned.map(({ enteredAtMs }) => enteredAtMs));
    return [id, pinned.length, pinned.length === 0 ? null : oldest] as const;
  });
  const found = counted.map(
    ({ id, pinnedCount, oldestPinAt }) =>
      [id, pinnedCount, oldestPinAt?.getTime() ?? null] as const,
  );
  const byId = (a: readonly unknown[], b: readonly unknown[]) =>
    String(a[0]) < String(b[0]) ? -1 : 1;
  expect(found.toSorted(byId)).toEqual(expected.toSorted(byId));
}

test('either a template is archived or people are pinned to it, never both', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < (isLong ? 1_000 : 6); round++) {
    const model = emptyModel(START_MS);
    const world = await createWorld({ ...deps, clock: { nowMs: () => START_MS } }, databaseUrl);
    await furnish(world, model);
    const [journey] = model.journeys;
    const enter = (index: number) =>
      world.act(journeyEnrol, { id: journey!.id, userIds: [world.userIds[index]!] });
    const entries = [0, 1, 2].map(enter);
    // In every second round, one person has entered already while the others still enter.
    if (round % 2 === 1) await Promise.race(entries);
    const remove = world.act(templateArchive, { id: world.templateIds[round % 2]! });
    const [deleted, ...entered] = await Promise.all([remove, ...entries]);
    const inside = entered.filter(({ code }) => code === 'OK').length;
    expect([deleted.code, inside > 0]).toEqual(
      inside > 0 ? ['TEMPLATE_PINNED', true] : ['OK', false],
    );
    outcomes.add(deleted.code);
  }
  expect([...outcomes].toSorted()).toEqual(['OK', 'TEMPLATE_PINNED']);
});
