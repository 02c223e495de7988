// The receipt of an erasure counts what the footprint announced, although ClickHouse stores some rows several times.

import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { decodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { erasePerson } from '../../../graphql-api/privacy/person-erasure.job.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { rows, warehouse } from '../../harness/warehouse.ts';
import { eventRow, insertRows } from '../harness/report-rows.ts';
import { type Caller, useClockedApi } from '../partner/clocked-api.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const api = useClockedApi();
let tenant: Tenant;
let owner: Caller;
beforeAll(async () => {
  tenant = await createTenant({ databaseUrl: api().ownerUrl });
  owner = await api().caller(tenant.organizationId);
});

test('late events are counted once while they are moved, and every copy is deleted', async () => {
  const userId = `ada-${randomUUID()}`;
  const onTime = [1, 2, 3].map(() => eventRow(tenant, { user_id: userId }));
  const late = [1, 2, 3, 4, 5].map(() =>
    eventRow(tenant, {
      user_id: userId,
      timestamp: new Date(Date.now() - 3 * DAY_MS).toISOString(),
      received_at: new Date().toISOString(),
    }),
  );
  await insertRows('events_raw', onTime);
  await insertRows('events_raw', late);
  const announced = await footprintOf(userId);
  expect(countsOf(announced.tables)).toEqual({ events_raw: 8 });

  // What ingest does with late events after a minute; and a retry, before ClickHouse merges it. If the merge
  // was faster, another pair is retried, because ClickHouse drops a block that it has stored before.
  await copyLateEvents();
  let leftOut = 0;
  await eventually(async () => {
    await insertRows('events_raw', onTime.toSpliced(leftOut++, 1));
    expect(await stored(userId)).toEqual({ events_raw: 10, events_late: 5 });
  });
  expect(await footprintOf(userId)).toEqual(announced);
  const { confirmation, userIds, anonymousIds } = announced;
  const { erasure } = await owner.mutate('personErase', 'erasure { id }', {
    input: { userIds, anonymousIds, confirmation },
  });
  const { id } = erasure as { id: string };
  await erasePerson.run(
    createContext(api().deps, randomUUID(), undefined),
    { erasureId: decodeNodeId(id).id },
    new AbortController().signal,
  );
  const { node } = await owner.graph(
    `query ($id: ID!) { node(id: $id) { ... on PersonErasure { state ${TABLES} } } }`,
    { id },
  );
  const { state, tables } = node as { state: string; tables: Line[] };
  expect(state).toBe('SETTLING');
  expect(countsOf(tables)).toEqual({ events_raw: 8 });
  expect(tables.filter(({ left }) => left !== null && left > 0)).toEqual([]);
  expect(await stored(userId)).toEqual({ events_raw: 0, events_late: 0 });
});

test('late events are counted after ingest has dropped their copies', async () => {
  const userId = `bob-${randomUUID()}`;
  const timestamp = new Date(Date.now() - 3 * DAY_MS).toISOString();
  await insertRows('events_late', [eventRow(tenant, { user_id: userId, timestamp })]);
  expect(countsOf((await footprintOf(userId)).tables)).toEqual({ events_late: 1 });
});

type Line = {
  readonly table: string;
  readonly before: number | null;
  readonly left: number | null;
};
type Footprint = {
  readonly userIds: string[];
  readonly anonymousIds: string[];
  readonly confirmation: string;
  readonly tables: Line[];
};

const TABLES = 'tables { table before left }';

async function footprintOf(userId: string): Promise<Footprint> {
  const { personFootprint } = await owner.graph(
    `query ($userId: String) {
       personFootprint(userId: $userId) { userIds anonymousIds confirmation ${TABLES} } }`,
    { userId },
  );
  return personFootprint as Footprint;
}

function countsOf(tables: readonly Line[]): Record<string, number> {
  return Object.fromEntries(
    tables.flatMap(({ table, before }) => (before ? [[table, before]] : [])),
  );
}

async function copyLateEvents(): Promise<void> {
  const columns = [...EVENTS_RAW.columns.map(({ name }) => name), 'inserted_at'].join(', ');
  await warehouse().command({
    query: `INSERT INTO events_late (${columns}, turn) SELECT ${columns}, 1 FROM events_raw
      WHERE workspace_id = {workspaceId:UUID} AND lane > 0`,
    query_params: { workspaceId: tenant.workspaceId },
  });
}

async function stored(userId: string): Promise<Record<string, number>> {
  const counts = ['events_raw', 'events_late'].map(async table => {
    const [row] = await rows<{ count: string }>(
      `SELECT count() AS count FROM ${table} WHERE workspace_id = {workspaceId:UUID} AND user_id = {userId:String}`,
      { workspaceId: tenant.workspaceId, userId },
    );
    return [table, Number(row!.count)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
