// A person with rows in every part of the service is erased, and the files of Postgres, ClickHouse
// and ingest are searched for their IDs. Another person's data is unchanged.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { PERSONAL_TABLES } from '../../../graphql-api/privacy/postgres-tables.ts';
import { WAREHOUSE_TABLES } from '../../../graphql-api/privacy/warehouse-tables.ts';
import { eventOf, newMessageId } from '../../harness/batch.ts';
import { expectAccepted, postEvents, untilKnown } from '../../harness/batch-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { ask, mutate, refusals } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';
import { eventsOf, liveIn, needlesOf, newPerson, type Person } from './person.ts';
import { filesWith, type PrivacyScene, privacyScene, SPOOL_BYTES } from './privacy-scene.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Line = {
  readonly engine: string;
  readonly table: string;
  readonly outcome: string;
  readonly before: number | null;
  readonly later: number;
  readonly left: number | null;
};
type Footprint = {
  readonly userIds: string[];
  readonly anonymousIds: string[];
  readonly confirmation: string;
  readonly tables: Line[];
};

let scene: PrivacyScene;
beforeAll(async () => {
  scene = await privacyScene();
});
afterAll(() => scene?.close());

const live = (person: Person) => liveIn(scene, person);

const LINES = 'tables { engine table outcome before later left }';

async function footprintOf(lookup: Record<string, string>): Promise<Footprint> {
  const { personFootprint } = await ask<{ personFootprint: Footprint }>(
    scene,
    `query ($userId: String, $contactId: String, $anonymousId: String) {
       personFootprint(userId: $userId, contactId: $contactId, anonymousId: $anonymousId) {
         userIds anonymousIds sharedAnonymousIds otherContactIds confirmation ${LINES} } }`,
    lookup,
  );
  return personFootprint;
}

/** The number of rows by table, for tables with a count. */
function countsOf({ tables }: Footprint): Record<string, number> {
  return Object.fromEntries(
    tables.filter(line => line.before !== null).map(line => [line.table, line.before!]),
  );
}

/** Resolves when every row has arrived. */
function wholeFootprintOf(person: Person): Promise<Footprint> {
  return eventually(async () => {
    const found = await footprintOf({ userId: person.userId });
    expect(countsOf(found)).toMatchObject({
      events_raw: 3,
      events_late: 1,
      rejected_events_raw: 1,
      in_app_events_raw: 1,
      in_app_responses_raw: 1,
      contacts: 1,
      consents: 1,
      devices: 1,
      enrolments: 1,
      widget_step_executions: 1,
      journey_signals: 1,
      exposures: 1,
      audit_log: 1,
      outbound_events: 2,
      webhook_deliveries: 2,
    });
    for (const table of ['deliveries_raw', 'activity_cards_raw', 'delivery_links_raw'])
      expect(countsOf(found)[table]).toBeGreaterThan(0);
    return found;
  });
}

type Erasure = { readonly id: string; readonly state: string; readonly tables: Line[] };

function untilState(id: string, state: string): Promise<Erasure> {
  return eventually(async () => {
    const { node } = await ask<{ node: Erasure }>(
      scene,
      `query ($id: ID!) { node(id: $id) { ... on PersonErasure { id state ${LINES} } } }`,
      { id },
    );
    expect(node.state).toBe(state);
    return node;
  });
}

/**
 * Delivered segments that exceed a quarter of the spool are removed immediately, not after half an
 * hour.
 */
async function pushOutSegments(): Promise<void> {
  const { ingest, tenant } = scene;
  const padding = JSON.stringify({ padding: 'x'.repeat(9_000) });
  const events = Array.from({ length: 40 }, () => eventOf(newMessageId(), { properties: padding }));
  for (let sent = 0; sent < SPOOL_BYTES; sent += 40 * 9_000)
    expectAccepted(await postEvents(ingest, tenant.writeKey, events.map(renamed)), 40);
}

function renamed(event: string): string {
  return event.replace(/message-[0-9a-f-]+/, newMessageId());
}

/** The commands in docs/operators.md for operators who need the bytes removed immediately. */
async function rewriteFiles(): Promise<void> {
  await scene.administer([
    ...PERSONAL_TABLES.map(({ name }) => `VACUUM (FULL, ANALYZE) ${name}`),
    'VACUUM FULL pg_catalog.pg_statistic',
    'ALTER SYSTEM SET wal_recycle = off',
    'SELECT pg_reload_conf()',
    'CHECKPOINT',
    'SELECT pg_switch_wal()',
    'CHECKPOINT',
  ]);
}

async function webhookEndpoint(): Promise<void> {
  const input = { url: 'http://127.0.0.1:1/hook' };
  await mutate(scene, 'webhookEndpointCreate', { input }, '__typename');
}

test('a person is erased from every file, also after a kill, and another person keeps all data', async () => {
  await untilKnown(scene.ingest, scene.tenant.writeKey);
  await webhookEndpoint();
  const [ada, bob] = [newPerson('ada'), newPerson('bob')];
  await live(ada);
  await live(bob);
  const found = await wholeFootprintOf(ada);
  const others = await wholeFootprintOf(bob);
  expect(found.userIds).toEqual([ada.userId, ada.contactId].toSorted());
  expect(found.anonymousIds).toEqual([ada.anonymousId]);
  // The footprint is the same for each ID of the person.
  for (const lookup of [{ contactId: ada.contactId }, { anonymousId: ada.anonymousId }])
    expect((await footprintOf(lookup)).confirmation).toBe(found.confirmation);
  const before = await searched(ada);
  for (const place of ['postgres', 'clickhouse', 'ingest'])
    expect(before[place]).not.toHaveLength(0);

  const { confirmation, userIds, anonymousIds } = found;
  const wrong = { userIds: [bob.userId], anonymousIds, confirmation };
  expect(await refusals(scene, 'personErase', { input: wrong })).toEqual([
    'CONFIRMATION_MISMATCH input.confirmation',
  ]);
  await exportOf(ada, { userIds, anonymousIds, confirmation });
  const { erasure } = await mutate<{ erasure: Erasure }>(
    scene,
    'personErase',
    { input: { userIds, anonymousIds, confirmation } },
    'erasure { id state }',
  );
  // In the middle of the first pass: after the count, while rows are being deleted.
  await eventually(
    async () =>
      expect(await scene.query('SELECT state FROM person_erasures')).toEqual([
        { state: 'RUNNING' },
      ]),
    { intervalMs: 2 },
  );
  await scene.killApi();
  const erased = await untilState(erasure.id, 'SETTLING');
  const counts = countsOf(found);
  // Retries continue meanwhile, so the number of attempts may differ.
  const attempts = erased.tables.find(({ table }) => table === 'webhook_attempts')!;
  counts.webhook_attempts = attempts.before!;
  for (const { table, before, left } of erased.tables.filter(line => line.outcome !== 'KEPT'))
    expect([table, before, left]).toEqual([table, counts[table], 0]);

  // Only the other person is left.
  expect(await scene.query('SELECT sum(in_flight)::int AS people FROM enrolment_counts')).toEqual([
    { people: 1 },
  ]);
  const kept = (lines: readonly Line[]) => lines.filter(({ engine }) => engine === 'INGEST');
  expect(kept(erased.tables)).toMatchObject([{ table: 'spool', outcome: 'KEPT' }]);

  // A device that was offline sends its events.
  const late = eventsOf(ada).slice(1);
  expectAccepted(await postEvents(scene.ingest, scene.tenant.writeKey, late), 2);
  await eventually(async () =>
    expect(countsOf(await footprintOf({ userId: ada.userId })).events_raw).toBe(2),
  );
  await scene.setAheadMs(46 * MINUTE_MS);
  const watching = await untilState(erasure.id, 'WATCHING');
  expect(watching.tables.find(({ table }) => table === 'events_raw')).toMatchObject({
    before: 3,
    later: 2,
    left: 0,
  });
  expect(kept(watching.tables)).toEqual([]);
  await scene.setAheadMs(31 * DAY_MS);
  await untilState(erasure.id, 'COMPLETED');
  expect(await scene.query('SELECT name_hashes, device_hashes FROM person_erasures')).toEqual([
    { name_hashes: [], device_hashes: [] },
  ]);

  await pushOutSegments();
  await eventually(async () => expect(await inactiveParts()).toBe(0));
  await rewriteFiles();
  await eventually(async () =>
    expect(await searched(ada)).toEqual({ postgres: [], clickhouse: [], ingest: [] }),
  );
  expect(withoutAttempts(await footprintOf({ userId: bob.userId }))).toEqual(
    withoutAttempts(others),
  );
});

/** Webhooks are retried meanwhile, so the number of attempts may differ. */
function withoutAttempts({ tables, ...same }: Footprint) {
  return { ...same, tables: tables.filter(({ table }) => table !== 'webhook_attempts') };
}

async function searched(person: Person): Promise<Record<string, string[]>> {
  const { postgres, clickhouse, ingest } = scene.directories;
  const needles = needlesOf(person);
  return {
    postgres: await filesWith(postgres, needles),
    clickhouse: await filesWith(clickhouse, needles),
    ingest: await filesWith(ingest, needles),
  };
}

async function inactiveParts(): Promise<number> {
  const [row] = await scene.rows<{ parts: string }>(
    'SELECT count() AS parts FROM system.parts WHERE database = currentDatabase() AND NOT active',
  );
  return Number(row!.parts);
}

async function exportOf(person: Person, input: object): Promise<void> {
  const { export: made } = await mutate<{ export: { downloadPath: string } }>(
    scene,
    'personExport',
    { input: { ...input } },
    'export { downloadPath expiresAt }',
  );
  const { organizationId } = scene.tenant;
  const token = await tokenFor(organizationId);
  const answer = await scene.api.rest(made.downloadPath, { token });
  expect(answer.status).toBe(200);
  const lines = answer.text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { table?: string; row?: object; complete?: true });
  expect(lines.at(-1)).toMatchObject({ complete: true, rows: lines.length - 1 });
  const tables = new Set(lines.flatMap(({ table }) => table ?? []));
  expect([...tables]).toEqual(
    expect.arrayContaining(['contacts', 'devices', 'consents', ...WAREHOUSE.slice(0, 8)]),
  );
  expect(answer.text).toContain(person.marker);
  const another = await tokenFor(organizationId, { userId: 'another-owner' });
  expect((await scene.api.rest(made.downloadPath, { token: another })).status).toBe(404);
}

const WAREHOUSE = WAREHOUSE_TABLES.map(({ name }) => name);
